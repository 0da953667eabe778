import ParseModel
import SyncModel
import Synchronization

/// The latest decisions of the engine about sent changes, in memory, for the clients that wait for them. Decisions are
/// noted only while a client waits, and before the store has them.
package final class SettledChanges: Sendable {
    /// The remote's execution of a change.
    package struct Execution: Sendable, Hashable {
        /// The remote's id of the object.
        package let objectId: String
        package let createdAt: ParseDate?
        package let updatedAt: ParseDate?
        /// The field values that the remote returned with its answer.
        package let returned: JSONObject
        /// The fields of the row that has proved the execution; nil if the remote has answered.
        package let row: JSONObject?
    }

    private struct Change {
        let id: Int64
        let className: String
        let objectId: String
        let settlement: Settlement
    }

    private struct State {
        var waiting = 0
        /// The number of the first change in `changes`.
        var first = 0
        var changes: [Change] = []
    }

    /// The maximum number of noted decisions. The oldest ones are dropped.
    private static let countMax = 4096

    private let state = Mutex(State())

    package init() {}

    /// Begins to note decisions.
    /// - Returns: the number of the next decision.
    package func open() -> Int {
        state.withLock { state in
            state.waiting += 1
            return state.first + state.changes.count
        }
    }

    /// Ends the noting for one client.
    package func close() {
        state.withLock { state in
            state.waiting -= 1
            guard state.waiting == 0 else { return }
            state.first += state.changes.count
            state.changes = []
        }
    }

    func note(_ settlements: [(entry: OutboxEntry, Settlement)]) {
        state.withLock { state in
            guard state.waiting > 0 else { return }
            state.changes += settlements.map { entry, settlement in
                Change(id: entry.id, className: entry.className, objectId: entry.objectId, settlement: settlement)
            }
            let excess = state.changes.count - Self.countMax
            guard excess > 0 else { return }
            state.changes.removeFirst(excess)
            state.first += excess
        }
    }

    /// The latest decision about a change since the number `start`; nil for none.
    func last(of id: Int64, since start: Int) -> Settlement? {
        state.withLock { state in
            state.changes.dropFirst(max(0, start - state.first)).last { $0.id == id }?.settlement
        }
    }

    /// The execution of the changes of an object since the number `start`, taken together. The object may have got
    /// another id meanwhile.
    /// - Returns: nil if the remote has executed none of them.
    package func execution(of object: Pointer, since start: Int) -> Execution? {
        let changes = state.withLock { Array($0.changes.dropFirst(max(0, start - $0.first))) }
        var ids: Set<String> = [object.objectId]
        var execution: Execution?
        for change in changes where change.className == object.className && ids.contains(change.objectId) {
            guard let next = Execution(change.settlement) else { continue }
            ids.insert(next.objectId)
            execution = execution?.followed(by: next) ?? next
        }
        return execution
    }
}

extension SettledChanges.Execution {
    /// - Returns: nil for a decision that no execution on the remote stands behind.
    package init?(_ settlement: Settlement) {
        switch settlement {
        case .acknowledged(let answer):
            self.init(
                objectId: answer.objectId, createdAt: answer.createdAt, updatedAt: answer.updatedAt,
                returned: answer.echoed, row: nil)
        case .proven(let record), .recreatedElsewhere(let record):
            self.init(
                objectId: record.objectId, createdAt: record.createdAt, updatedAt: record.updatedAt, returned: [:],
                row: record.fields)
        case .deletionDone, .notExecuted, .sendAgain, .dropped, .moot, .unknown, .rejected, .conflict: return nil
        }
    }

    fileprivate func followed(by next: Self) -> Self {
        var returned = returned
        for (field, value) in next.returned { returned[field] = value }
        return Self(
            objectId: next.objectId, createdAt: createdAt ?? next.createdAt, updatedAt: next.updatedAt ?? updatedAt,
            returned: returned, row: next.row ?? row)
    }
}
