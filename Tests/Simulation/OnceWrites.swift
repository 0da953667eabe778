import LocalStore
import ParseModel
import StoreService
import SyncEngine
import SyncModel
import Synchronization

/// Sends changes of users that go to the server at once or nowhere, in runs of kind `once`.
struct OnceWrites {
    /// The error of a change that the server has not executed and must never execute.
    struct NeverExecuted: Error {}
    /// The error of a change whose outcome is unknown.
    struct Unanswered: Error {}

    let users: SimulatedUsers

    /// Lets a user of the replica make one change.
    func act(at replica: SimulatedReplica) async {
        guard let process = replica.process, !replica.hasEnded else { return }
        await users.act(as: replica.name, seeing: process.store, write: { try await Self.send($0, process) })
    }

    private static func send(_ write: WriteRequest, _ process: SimulatedReplica.Process) async throws {
        let hasBegun = Atomic(false)
        let shown = try write.objectId.flatMap { try process.store.objects.object(write.className, $0, as: .master) }
        let based = write.based(on: shown)
        let sent: SentOnce
        do {
            sent = try await process.engine.sendOnce(write.className, write.objectId, of: .gateway) { time, marked in
                // A crash may end the process just after the commit, so the change may be on disk from here on.
                hasBegun.store(true, ordering: .relaxed)
                let begun = try await process.store.onceWrites.begin(based, as: .master, at: time, marked: marked)
                return begun.entry
            }
        } catch {
            throw hasBegun.load(ordering: .relaxed) ? Unanswered() : NeverExecuted()
        }
        switch sent.decision {
        case .acknowledged, .proven, .deletionDone: return
        case .dropped: throw NeverExecuted()
        default: throw Unanswered()
        }
    }
}

extension Ledger {
    /// A line for each write whose user was told something about the server that its history contradicts.
    func brokenPromises(_ history: ServerHistory) -> [String] {
        entries.compactMap { entry in
            guard let promise = entry.promise, let isExecuted = history.hasExecuted(entry) else { return nil }
            switch promise {
            case .executed where !isExecuted:
                return "confirmed to \(entry.party) but not executed: \(entry.operation) of \(entry.title)"
            case .neverExecuted where isExecuted:
                return "refused to \(entry.party) but executed: \(entry.operation) of \(entry.title)"
            case .executed, .neverExecuted: return nil
            }
        }
    }
}

extension ServerHistory {
    /// Whether the server has ever executed a write; nil if the history does not show it.
    fileprivate func hasExecuted(_ entry: Ledger.Entry) -> Bool? {
        switch entry.operation {
        case .create: createCounts[entry.title] != nil
        case .set(let field, let value): hasHeld(value, in: field, of: entry.title)
        case .count(let mark): hasHeld(mark, in: "log", of: entry.title)
        case .point, .relate, .attach, .increment, .delete: nil
        }
    }
}
