import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Synchronization
import Testing

@testable import LocalStore

/// Tests random histories of three authors at one site replica. At the end, one author makes decisions or is
/// forgotten.
@Suite struct RandomForgettingTests {
    private static let authors: [Principal] = [.signedIn("ada"), .signedIn("ben"), .master]
    private static let names: [SyncAuthor] = [.user("ada"), .user("ben"), .gateway]

    /// The violations of the rules for steps that a store's audit has found.
    private final class Violations: Sendable {
        let lines = Mutex<[String]>([])
    }

    private static func makeStore(_ violations: Violations) async throws -> LocalStore {
        let store = try LocalStore.make(.replica) { configuration in
            configuration.rights = .site
            configuration.audit = { before, after, event in
                let found = StepTable.violations(from: before, to: after, by: event)
                violations.lines.withLock { $0 += found }
            }
        }
        try await store.takeRemoteSchemas([ClassSchema("Note")])
        try await store.configureClass("Note") { options, _ in options.policy = .manual }
        return store
    }

    /// The decisions of one author drop no change of another.
    @Test(arguments: 1...150)
    func aDecisionDropsOnlyTheChangesOfItsAuthor(seed: UInt64) async throws {
        let violations = Violations()
        let store = try await Self.makeStore(violations)
        var history = History(store: store, clock: TestClock(seed: seed))
        for _ in 0..<12 {
            for _ in 0..<4 { try await history.act() }
            let others = try await history.steps()
            var onRemote: Set<String> = []
            for step in others.values where try await history.isOnRemote(step.objectId) {
                onRemote.insert(step.objectId)
            }
            let decision = try await history.decide(as: Self.authors[0])
            let left = try await history.steps()
            for (id, step) in others where onRemote.contains(step.objectId) {
                #expect(left[id]?.step.operations == step.step.operations, "\(decision ?? "") drops \(step)")
            }
            #expect(try store.invariantViolations() == [])
        }
        #expect(violations.lines.withLock { $0 } == [])
    }

    @Test(arguments: 1...150)
    func forgettingAUserDropsOnlyTheUsersChanges(seed: UInt64) async throws {
        let violations = Violations()
        let store = try await Self.makeStore(violations)
        var history = History(store: store, clock: TestClock(seed: seed))
        for _ in 0..<14 { try await history.act() }
        var others = try await history.steps()
        do {
            try await store.people.forget(userId: "ada") { _ in }
        } catch StoreError.notPossible {
            // Others have changed an object whose create has an unknown outcome. A sync learns the outcome.
            #expect(try await history.steps().mapValues(\.step) == others.mapValues(\.step))
            #expect(try await history.settleCreates(of: .user("ada")) > 0)
            others = try await history.steps()
            try await store.people.forget(userId: "ada") { _ in }
        }
        #expect(try await store.people.waitingWork(of: "ada").isEmpty)
        #expect(try store.invariantViolations() == [])
        #expect(violations.lines.withLock { $0 } == [])
        let left = try await history.steps()
        for (id, step) in others {
            // If the create of a new object is dropped, a change of another author creates the object or has nothing
            // to change.
            guard try await history.isOnRemote(step.objectId) else { continue }
            #expect(left[id]?.step.operations == step.step.operations, "\(step.objectId)")
        }
    }

    private struct History {
        let store: LocalStore
        let clock: TestClock
        private var updatedMs: Int64 = 2000
        private var ids = ["a", "b"]

        init(store: LocalStore, clock: TestClock) { (self.store, self.clock) = (store, clock) }

        /// The steps of the other authors by their numbers.
        func steps() async throws -> [Int64: PendingChange] {
            let all = try await store.waitingWork().changes
            let ada = try await Set(store.people.waitingWork(of: "ada").changes.map(\.id))
            return Dictionary(uniqueKeysWithValues: all.filter { !ada.contains($0.id) }.map { ($0.id, $0) })
        }

        /// Lets a user resolve a conflict, give up a rejection, or undo a pending change of the user.
        /// - Returns: the decision; nil if there is nothing to decide.
        func decide(as user: Principal) async throws -> String? {
            if let conflict = try store.conflicts(resolved: false, as: user).first {
                let isAboutOutcome = [.wasThisApplied, .ambiguousCreate].contains(conflict.kind)
                let keep = isAboutOutcome ? (conflict.remote == nil ? "sendAgain" : "applied") : "remote"
                try await store.resolveConflict(conflict.id, keep: keep, fields: nil, as: user)
                return "\(conflict.kind)"
            }
            if let rejection = try store.rejections(as: user).first {
                try await store.giveUpRejection(rejection.id, as: user)
                return "giving up"
            }
            guard
                let change = try store.pendingChanges(as: user).last(where: {
                    $0.step.phase == .pending && !$0.step.wasAttempted
                })
            else { return nil }
            try await store.undoPending(change.id, as: user)
            return "undo"
        }

        func isOnRemote(_ objectId: String) async throws -> Bool {
            try await store.transactions.read { try LocalObject("Note", objectId, in: $0)?.life.base != nil }
        }

        /// Lets the creates of an author whose outcome is unknown end without effect.
        /// - Returns: the number of these creates.
        func settleCreates(of author: SyncAuthor) async throws -> Int {
            let sending = try await store.sync.sending(for: author)
            let creates = try await sending.unknownOutcomes().filter { $0.step.kind == .create }
            try await sending.settle(creates.map { ($0, .notExecuted(wasAttempted: false, error: nil)) })
            return creates.count
        }

        mutating func act() async throws {
            clock.advance(.seconds(1))
            updatedMs += 1000
            let id = ids[clock.random(below: ids.count)]
            let n = JSONValue.int(clock.random(below: 100))
            let author = clock.random(below: 3)
            switch clock.random(below: 9) {
            case 0: await write(.create(className: "Note", body: ["n": n]), author)
            case 1, 2: await write(.update(className: "Note", objectId: id, body: ["n": n]), author)
            case 3: await write(.update(className: "Note", objectId: id, body: ["m": .increment(1)]), author)
            case 4: await write(.delete(className: "Note", objectId: id), author)
            case 5: try await store.pull([.make(id, ["n": n], of: "Note", updatedMs: updatedMs)])
            case 6: _ = try await store.sync.apply([], gone: [id], of: "Note")
            default: try await push(as: RandomForgettingTests.names[author], n)
            }
        }

        private mutating func write(_ request: WriteRequest, _ author: Int) async {
            let result = await store.perform([request], as: RandomForgettingTests.authors[author], atomically: false)[0]
            // Deleted objects and stale ids are refused.
            if case .success(let receipt) = result, !ids.contains(receipt.objectId) { ids.append(receipt.objectId) }
        }

        private func push(as author: SyncAuthor, _ n: JSONValue) async throws {
            let sending = try await store.sync.sending(for: author)
            guard let waiting = try await sending.outbox(limit: 10).first,
                let entry = try await sending.freeze([waiting], at: LocalStore.serverTime).first
            else { return }
            let row = RemoteRecord.make(entry.objectId, ["n": n], of: "Note", updatedMs: updatedMs)
            let outcome: Settlement? =
                switch clock.random(below: 6) {
                case 0: .rejected(code: 101, message: "no")
                case 1: .unknown(reason: "cut", at: LocalStore.serverTime)
                case 2: .applied(entry.objectId, createdMs: 1000, updatedMs: updatedMs)
                case 3: .notExecuted(wasAttempted: true, error: nil)
                case 4 where entry.step.kind == .create: .conflict(.ambiguousCreate, remote: nil)
                case 4 where entry.step.kind == .update: .conflict(.wasThisApplied, remote: row)
                default: nil
                }
            if let outcome { try await sending.settle([(entry, outcome)]) }
        }
    }
}
