import ParseModel
import RemoteService
import StoreService

/// Work that has waited for longer than `--stall-alarm` while the remote answered: changes that are not sent, pulls that
/// fail, and syncs that fail as a whole.
package struct Stall: Sendable, Hashable {
    /// A change that waits.
    package struct Change: Sendable, Hashable {
        package let change: WaitingChange
        package let reason: WaitReason
        /// Whether the caller may learn the author.
        package let showsAuthor: Bool

        package init(change: WaitingChange, reason: WaitReason, showsAuthor: Bool) {
            (self.change, self.reason, self.showsAuthor) = (change, reason, showsAuthor)
        }
    }

    /// A failing pull of a class or, without a class, failing syncs.
    package struct Failure: Sendable, Hashable {
        package let className: String?
        /// The time of the first failure, by the local clock.
        package let since: ParseDate
        package let reason: WaitReason
        package let wayOut: String

        package init(className: String?, since: ParseDate, reason: WaitReason, wayOut: String) {
            (self.className, self.since, self.reason, self.wayOut) = (className, since, reason, wayOut)
        }
    }

    /// The time at which the stall was found, by the local clock.
    package let since: ParseDate
    /// The number of objects with changes that wait. `changes` has the first of them.
    package let changeCount: Int
    package var changes: [Change]
    package var failures: [Failure]

    package init(since: ParseDate, changeCount: Int, changes: [Change], failures: [Failure]) {
        self.since = since
        self.changeCount = changeCount
        self.changes = changes
        self.failures = failures
    }

    package var isEmpty: Bool { changeCount == 0 && failures.isEmpty }

    /// The stall for a caller who may list only some classes. The changes are already those of the caller.
    func shown(_ classNames: Set<String>) -> Stall? {
        var shown = self
        shown.failures = failures.filter { $0.className.map(classNames.contains) ?? true }
        return shown.isEmpty ? nil : shown
    }

    /// `stalled` in the answer of `GET /sync`.
    var json: JSONObject {
        [
            "since": .string(since.iso), "changes": .int(changeCount),
            "pulls": .int(failures.count { $0.className != nil }),
            "entries": .array((failures.map(\.json) + changes.map(\.json)).map(JSONValue.object)),
        ]
    }

    /// The stall in one line, for the log: the numbers, and the reason and the way out of the first entry.
    package var line: String {
        let pulls = failures.compactMap(\.className)
        let parts = [
            failures.count > pulls.count ? "the sync" : nil,
            pulls.isEmpty ? nil : "the pull of \(pulls.joined(separator: ", "))",
            changeCount > 0 ? changeCount.counted("change") : nil,
        ]
        return parts.compactMap(\.self).joined(separator: " and ") + ". " + first
    }

    private var first: String {
        if let failure = failures.first { return "\(failure.reason.text) \(failure.wayOut)" }
        guard let entry = changes.first else { return "" }
        return "\(entry.change.object.path): \(entry.reason.text) \(entry.reason.wayOut(of: entry.change))"
    }
}

extension Stall.Change {
    fileprivate var json: JSONObject {
        var json: JSONObject = [
            "kind": "change", "id": .int(change.id), "className": .string(change.object.className),
            "objectId": .string(change.object.objectId), "since": .string(change.madeAt.iso),
            "reason": .string(reason.name), "text": .string(reason.text), "wayOut": .string(reason.wayOut(of: change)),
        ]
        if showsAuthor { json["user"] = change.author.userId.map(JSONValue.string) }
        return json
    }
}

extension Stall.Failure {
    fileprivate var json: JSONObject {
        var json: JSONObject = ["kind": className == nil ? "sync" : "pull"]
        json["className"] = className.map(JSONValue.string)
        json["since"] = .string(since.iso)
        json["reason"] = .string(reason.name)
        json["text"] = .string(reason.text)
        json["wayOut"] = .string(wayOut)
        return json
    }
}
