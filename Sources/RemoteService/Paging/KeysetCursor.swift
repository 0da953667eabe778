import ParseModel
import SyncModel

/// Converts positions to the texts of cursors and back. The text is a letter and a time in milliseconds, followed by
/// the id if the position has an id: `g1795224551484`, `a1795224551484 xqMK7l1wCE`, `w1795224551484`, `w1795224551484
/// xqMK7l1wCE`.
extension KeysetPosition {
    package var cursor: PullCursor? {
        switch self {
        case .start: nil
        case .from(let time): PullCursor(text: "g\(time.milliseconds)")
        case .after(let time, let objectId): PullCursor(text: "a\(time.milliseconds) \(objectId)")
        case .within(let time, let objectId):
            PullCursor(text: "w\(time.milliseconds)" + (objectId.map { " " + $0 } ?? ""))
        }
    }

    /// The position that a cursor contains. For nil and for an unreadable cursor, this is `.start`, so that all rows
    /// are pulled again.
    package init(_ cursor: PullCursor?) {
        let parts = (cursor?.text.dropFirst() ?? "").split(separator: " ", maxSplits: 1)
        guard let kind = cursor?.text.first, let milliseconds = parts.first.flatMap({ Int64($0) }) else {
            self = .start
            return
        }
        let time = ParseDate(milliseconds: milliseconds)
        let objectId = parts.count == 2 ? String(parts[1]) : nil
        switch (kind, objectId) {
        case ("g", nil): self = .from(time)
        case ("a", let objectId?): self = .after(time, objectId: objectId)
        case ("w", let objectId): self = .within(time, objectId: objectId)
        default: self = .start
        }
    }
}
