import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

/// Tests which changes count as waiting for a long time, and the facts that tell why they wait.
@Suite("Changes that have waited for long")
struct OldChangeTests {
    private let clock = TestClock()
    private let store: LocalStore

    init() async throws {
        store = try LocalStore.make(.replica, clock: clock)
        try await store.pull([.make("known", ["n": 1])])
    }

    private func old(madeBefore age: Duration = .zero) throws -> OldChanges {
        try store.decisions.oldChanges(madeBy: clock.environment.now() - age, as: .master)
    }

    @Test func onlyChangesOfTheGivenAgeAreOld() async throws {
        try await store.update("known", ["n": 2])
        clock.advance(.seconds(60))
        let younger = try await store.create(["n": 3])
        #expect(try old().first.map(\.object.objectId) == ["known", younger])
        #expect(try old(madeBefore: .seconds(30)).first.map(\.object.objectId) == ["known"])
        #expect(try old(madeBefore: .seconds(90)) == .none)
    }

    @Test func aLaterEditDoesNotMakeAChangeYounger() async throws {
        try await store.update("known", ["n": 2])
        clock.advance(.seconds(60))
        try await store.update("known", ["n": 3])
        #expect(try old(madeBefore: .seconds(30)).count == 1)
    }

    @Test func objectWithSeveralChangesCountsOnce() async throws {
        try await store.update("known", ["tags": .op("Add", "b", "c")])
        try await store.update("known", ["tags": .op("Remove", "b")])
        #expect(try old().count == 1)
        #expect(try old().first.map(\.id) == store.pendingChanges().prefix(1).map(\.id))
    }

    @Test func objectThatWaitsForADecisionIsNotOld() async throws {
        try await store.update("known", ["n": 2])
        try await store.push("known", .rejected(code: 119, message: "no"))
        #expect(try old() == .none)
        let unclear = try await store.create(["n": 3])
        try await store.push(unclear, .conflict(.ambiguousCreate, remote: nil))
        #expect(try old() == .none)
    }

    @Test func changeTellsTheObjectForWhichItWaits() async throws {
        let target = try await store.create(["n": 3])
        let pointing = try await store.create(["in": Pointer(className: "Holiday", objectId: target).json])
        func targets() throws -> [WaitingChange.Target] {
            try #require(try old().first.first { $0.object.objectId == pointing }).targets
        }
        let object = Pointer(className: "Holiday", objectId: target)
        #expect(try targets() == [WaitingChange.Target(object: object, standing: .waiting)])
        try await store.push(target, .rejected(code: 119, message: "no"))
        #expect(try targets() == [WaitingChange.Target(object: object, standing: .rejected)])
    }

    @Test func changeTellsTheFileForWhichItWaits() async throws {
        let name = try await store.addFile("a.png", "x").name
        try await store.update("known", ["photo": ["__type": "File", "name": .string(name)]])
        try await store.sync.fileUploadFailed(name, reason: "HTTP 500")
        #expect(
            try #require(try old().first.first).files
                == [WaitingChange.File(name: name, attempts: 1, error: "HTTP 500")])
    }

    @Test func changeTellsTheLastAnswerOfTheRemote() async throws {
        try await store.update("known", ["n": 2])
        try await store.push("known", .notExecuted(wasAttempted: false, error: "busy", code: 107))
        let change = try #require(try old().first.first)
        #expect((change.phase, change.attempts, change.code, change.error) == (.pending, 1, 107, "busy"))
        try await store.push("known", .unknown(reason: "time-out"))
        #expect(try old().first.first?.phase == .unknown)
    }
}
