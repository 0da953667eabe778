import Gateway
import RemoteService
import StoreService
import SyncEngine
import SyncModel
import Synchronization

/// Lets users wait until the server has their changes, in runs of kind `once`.
struct ConfirmedWrites {
    /// The maximum number of pushes after a change.
    private static let pushesMax = 3

    let users: SimulatedUsers
    let time: SimulatedTime

    /// Lets a user of the replica make one change, and pushes until its fate is known.
    func act(at replica: SimulatedReplica) async {
        guard let process = replica.process, !replica.hasEnded else { return }
        let start = process.engine.settled.open()
        defer { process.engine.settled.close() }
        let awaited = Mutex<AwaitedWrite?>(nil)
        let before = users.ledger.withLock { $0.entries.count }
        await users.act(
            as: replica.name, seeing: process.store,
            write: { request in
                let receipt = try await process.store.objects.perform([request], as: .master, atomically: false)[0]
                    .get()
                awaited.withLock { $0 = AwaitedWrite(request, receipt) }
            })
        guard let write = awaited.withLock({ $0 }) else { return }
        let own = before..<users.ledger.withLock { $0.entries.count }
        for _ in 0..<Self.pushesMax {
            _ = await replica.sync(SyncRequest(pulls: false))
            // After a crash, nobody waits.
            guard !replica.hasEnded,
                let fate = try? WriteFate(
                    of: write, since: start, by: .master, decisions: process.store.decisions, process.engine.settled)
            else { return }
            switch fate {
            case .rejected where replica.sabotage == .refusalConfirmed, .executed, .shown:
                return users.ledger.withLock { $0.note(.executed, of: own) }
            case .withdrawn: return users.ledger.withLock { $0.note(.neverExecuted, of: own) }
            case .rejected, .inConflict, .overruled: return
            case .waiting: time.advance(ms: 1000)
            }
        }
    }
}
