import LocalStore
import ParseModel
import RemoteService
import StoreService
import SyncEngine
import Testing

/// Tests the audit of the newest rows. It finds writes that the remote commits long after their timestamps, which no
/// pull's overlap covers.
@Suite("Audit of the newest rows")
struct RecentAuditTests {
    private let world: World
    private let ids: [String]

    init() async throws {
        world = try await World.make(classes: ["Holiday", "Country"], keepsStampsInOrder: false)
        var ids: [String] = []
        for n in 0..<12 { ids.append(try await world.hub.store.create("Holiday", ["n": .int(n)])) }
        self.ids = ids
        world.clock.advance(.seconds(600))
        try await world.hub.store.create("Holiday", ["n": 99])
        // Later pulls start after the earlier objects, and the time of their overlap has passed.
        for _ in 0..<2 {
            try await world.replica.sync()
            world.clock.advance(.seconds(60))
        }
    }

    /// - Parameter seconds: the age of the write's timestamp.
    private func write(stampedBefore seconds: Int, _ body: () async throws -> Void) async throws {
        world.clock.turn(by: .seconds(-seconds))
        try await body()
        world.clock.turn(by: .seconds(seconds))
    }

    @Test func remoteWritesCommittedLongAfterTheirTimestampAreFoundWithinMinutes() async throws {
        try await write(stampedBefore: 200) {
            try await world.hub.store.update("Holiday", ids[0], ["n": 100])
            try await world.hub.store.create("Holiday", ["n": 101])
        }
        // The counts show at once that the new object is missing. The edit is not found before the audit.
        #expect(try await world.replica.sync().repaired == 0)
        #expect(try world.replica.store.fields("Holiday", ids[0])?["n"] == 0)
        world.clock.advance(.seconds(300))
        let summary = try await world.replica.sync()
        #expect(summary.repaired == 1)
        // One of the requests reads the replica's latest changes again, because a restored backup would show an older
        // state.
        #expect(summary.requests <= 6)
        #expect(summary.warnings.first?.contains("newest rows of Holiday") == true)
        try world.expectEqual()
    }

    @Test func softDeletionCommittedLongAfterItsTimestampIsFoundWithinMinutes() async throws {
        try await world.replica.set(["deletedField": "isDeleted"])
        try await world.replica.sync()
        world.clock.advance(.seconds(300))
        try await world.replica.sync()
        // The deletion has an earlier timestamp than the newest pulled row.
        try await write(stampedBefore: 500) { try await world.hub.store.update("Holiday", ids[0], ["isDeleted": true]) }
        #expect(try await world.replica.sync().removed == 0)
        world.clock.advance(.seconds(301))
        let summary = try await world.replica.sync()
        #expect(summary.repaired == 1)
        #expect(summary.removed == 1)
        #expect(try world.replica.store.object("Holiday", ids[0]) == nil)
        #expect(summary.requests == 8)
        // The next audit takes one request less, because it does not read the deleted row again.
        world.clock.advance(.seconds(301))
        #expect(try await world.replica.sync().requests == 7)
    }

    @Test func auditOfTheNewestRowsTakesNoRequestBeforeItIsDueAndFewThen() async throws {
        world.clock.advance(.seconds(150))
        #expect(try await world.replica.sync().requests == 1)
        world.clock.advance(.seconds(200))
        let summary = try await world.replica.sync()
        #expect(summary.requests <= 5)
        #expect(summary.warnings.isEmpty)
        world.clock.advance(.seconds(200))
        #expect(try await world.replica.sync().requests == 1)
    }

    @Test func auditOfTheNewestRowsComparesTheRowsOfItsTimeWindow() async throws {
        // The edit has a timestamp between that of the object and that of the newest pulled row, and outside of the
        // audit's window.
        world.clock.advance(.seconds(5000))
        try await world.hub.store.create("Holiday", ["n": 98])
        for _ in 0..<2 {
            try await world.replica.sync()
            world.clock.advance(.seconds(60))
        }
        try await write(stampedBefore: 4000) { try await world.hub.store.update("Holiday", ids[0], ["n": 100]) }
        world.clock.advance(.seconds(300))
        #expect(try await world.replica.sync().repaired == 0)
        #expect(try await world.replica.sync(SyncRequest(audits: true)).repaired == 1)
    }

    @Test func auditOfTheNewestRowsComparesTheRowsOfASubset() async throws {
        try await world.replica.set(["pulls": [["name": "few", "where": ["n": ["$lt": 5]], "keys": ["n"]]]])
        try await world.hub.store.update("Holiday", ids[1], ["n": 2])
        try await world.replica.sync()
        world.clock.advance(.seconds(60))
        try await write(stampedBefore: 200) { try await world.hub.store.update("Holiday", ids[0], ["n": 4]) }
        world.clock.advance(.seconds(301))
        #expect(try await world.replica.sync().repaired == 1)
        #expect(try world.replica.store.fields("Holiday", ids[0]) == ["n": 4])
    }
}
