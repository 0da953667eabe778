import ParseModel
import RemoteService
import SyncModel

/// The position of a pull directly after the row with this time and id. For remotes that sort rows by time and id.
package struct RowPosition {
    package let time: ParseDate
    package let objectId: String

    package init(time: ParseDate, objectId: String = "") {
        self.time = time
        self.objectId = objectId
    }

    package init(_ row: RemoteRecord) { self.init(time: row.updatedAt, objectId: row.objectId) }

    package init?(_ cursor: PullCursor?) {
        guard let parts = cursor?.text.split(separator: "|"), parts.count == 2, let time = Int64(parts[0]) else {
            return nil
        }
        self.init(time: ParseDate(milliseconds: time), objectId: String(parts[1]))
    }

    package var cursor: PullCursor { PullCursor(text: "\(time.milliseconds)|\(objectId)") }

    package func isBefore(_ row: RemoteRecord) -> Bool { (time, objectId) < (row.updatedAt, row.objectId) }
}
