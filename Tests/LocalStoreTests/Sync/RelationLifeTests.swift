import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

@testable import LocalStore

/// The visible members of a relation always equal the last known remote members with the pending changes applied.
@Suite("Relation members = pending changes applied to the base")
struct RelationLifeTests {
    @Test(arguments: 1...6) func relationMembersAreTheRemoteOnesPlusPendingChangesAfterEveryRandomStep(
        seed: Int
    ) async throws {
        var life = try await RandomLife(seed: UInt64(seed))
        for _ in 0..<400 { try await life.step() }
        #expect(life.happened.count >= 11, "\(life.happened.sorted())")
    }

    @Test(arguments: [
        "UPDATE relation_members SET in_view = 0", "UPDATE relation_members SET in_base = 1 WHERE NOT in_base",
        "DELETE FROM relation_members WHERE NOT in_base", "UPDATE relation_members SET id = 'nowhere'",
        "UPDATE relation_pulls SET id = 'nowhere'",
        "INSERT INTO relation_members VALUES ('Holiday', 'x', 'countries', 'Country', 'd', 1, 0)",
    ])
    func inconsistentRelationMembersInADatabaseAreFound(sql: String) async throws {
        let store = try LocalStore.make(.replica)
        try await store.pull([.make("x", ["countries": .relation])])
        try await store.update("x", ["countries": .adding("a")])
        try await store.update("x", ["countries": .removing("b")])
        #expect(try store.invariantViolations() == [])
        try await store.transactions.write { try $0.db.execute(sql: sql) }
        // If the known remote members already contain the pending change, the visible members stay consistent.
        #expect(try store.invariantViolations().isEmpty == sql.contains("in_base = 1"))
    }
}

/// Performs random events on a store, tracks the expected remote members of every relation, and applies the pending
/// changes itself.
private struct RandomLife {
    private let clock: TestClock
    private let store: LocalStore
    /// The ids of the members on the remote, as far as the store knows them, by the owner's id.
    private var bases: [String: Set<String>] = [:]
    private var ids: [String] = []
    private var onTheirWay: [String: OutboxEntry] = [:]
    private(set) var happened: Set<String> = []
    private static let countries = ["a", "b", "c", "d", "e"]

    init(seed: UInt64) async throws {
        clock = TestClock(seed: seed)
        store = try LocalStore.make(.replica, clock: TestClock(seed: seed &+ 1000))
        try await store.pull(Self.countries.map { .make($0, [:], of: "Country") })
    }

    mutating func step() async throws {
        clock.advance(.seconds(1))
        let id = ids.isEmpty ? nil : ids[clock.random(below: ids.count)]
        switch (clock.random(below: 22), id) {
        case (_, nil), (0...1, _): if ids.count < 4 { try await create() }
        case (2...6, let id?): try await edit(id)
        case (7, let id?): try await delete(id)
        case (8...12, let id?): try await freeze(id)
        case (13...18, let id?): try await settle(id)
        case (19, let id?): try await undo(id)
        case (_, let id?): try await pull(id)
        }
        let steps = try store.pendingChanges() + store.rejections()
        for id in ids {
            let own = steps.filter { $0.objectId == id }.sorted { $0.id < $1.id }.map(\.step)
            #expect(Set(try store.members(of: id)) == expected(of: id, own), "\(id): \(own)")
        }
        #expect(try store.invariantViolations() == [])
        ids.removeAll { id in bases[id] == nil && !steps.contains { $0.objectId == id } }
    }

    private func expected(of id: String, _ steps: [PendingStep]) -> Set<String> {
        var members = bases[id]
        for step in steps {
            switch step.kind {
            case .delete: members = nil
            case .create: members = Self.applied(step, to: members ?? [])
            case .update: members = members.map { Self.applied(step, to: $0) }
            }
        }
        return members ?? []
    }

    private static func applied(_ step: PendingStep, to members: Set<String>) -> Set<String> {
        let operation = step.operations.json["countries"]?.object ?? [:]
        return (operation["ops"]?.array?.compactMap(\.object) ?? [operation]).reduce(members) { members, part in
            let ids = (part["objects"]?.array ?? []).compactMap { $0.object?["objectId"]?.string }
            return part["__op"] == "AddRelation" ? members.union(ids) : members.subtracting(ids)
        }
    }

    // MARK: Local clients

    private func body() -> JSONObject {
        let (some, others) = (Self.countries[clock.random(below: 5)], Self.countries[clock.random(below: 5)])
        switch clock.random(below: 4) {
        case 0: return ["countries": .adding(some, others)]
        case 1: return ["countries": .removing(some)]
        case 2: return ["countries": ["__op": "Batch", "ops": [.adding(some), .removing(others)]]]
        default: return ["countries": .adding(some), "n": .increment(1)]
        }
    }

    private mutating func create() async throws {
        happened.insert("create")
        ids.append(try await store.create(body()))
    }

    private mutating func edit(_ id: String) async throws {
        guard try store.object("Holiday", id) != nil else { return }
        happened.insert("edit")
        try await store.update(id, body())
    }

    private mutating func delete(_ id: String) async throws {
        guard try store.object("Holiday", id) != nil else { return }
        happened.insert("delete")
        try await store.delete(id)
    }

    private mutating func undo(_ id: String) async throws {
        guard let change = try store.pendingChanges().last(where: { $0.objectId == id }) else { return }
        guard (try? await store.undoPending(change.id)) != nil else { return }
        happened.insert("undo")
    }

    // MARK: The engine

    private mutating func freeze(_ id: String) async throws {
        let waiting = try await store.sync.outbox(limit: 1000).filter { $0.objectId == id }
        guard let entry = try await store.sync.freeze(waiting, at: clock.now).first else { return }
        happened.insert("freeze")
        onTheirWay[id] = entry
    }

    private mutating func settle(_ id: String) async throws {
        guard let entry = onTheirWay.removeValue(forKey: id) else { return }
        switch clock.random(below: 8) {
        case 0...1:
            happened.insert("rejected")
            try await store.sync.settle([(entry, .rejected(code: 142, message: "no"))])
            if try store.rejections().contains(where: { $0.id == entry.id }) {
                try await store.giveUpRejection(entry.id)
            }
        case 2:
            happened.insert("not executed")
            try await store.sync.settle([(entry, .notExecuted(wasAttempted: false, error: "offline"))])
        case 3...4:
            guard entry.step.kind != .delete else { return try await acknowledge(entry) }
            happened.insert("proven")
            try await store.sync.settle([
                (entry, .proven(.make(id, ["countries": .relation], updatedMs: clock.now.milliseconds)))
            ])
            bases[id] = bases[id] ?? []
        default: try await acknowledge(entry)
        }
    }

    private mutating func acknowledge(_ entry: OutboxEntry) async throws {
        let id = entry.objectId
        guard entry.step.kind != .delete else {
            happened.insert("deleted")
            try await store.sync.settle([(entry, .applied(id))])
            bases[id] = nil
            return
        }
        let isAdopted = entry.step.kind == .create && clock.random(below: 2) == 0
        happened.insert(isAdopted ? "adopted" : "acknowledged")
        let remoteId = isAdopted ? "remote\(id)" : id
        try await store.sync.settle([(entry, .applied(remoteId, createdMs: 1000, updatedMs: clock.now.milliseconds))])
        bases[remoteId] = Self.applied(entry.step, to: bases[id] ?? [])
        guard isAdopted else { return }
        bases[id] = nil
        ids[ids.firstIndex(of: id) ?? 0] = remoteId
    }

    private mutating func pull(_ id: String) async throws {
        guard bases[id] != nil else { return }
        happened.insert("pull")
        let members = Self.countries.filter { _ in clock.random(below: 2) == 0 }
        try await store.sync.setBaseMembers(
            [
                .init(
                    owner: Pointer(className: "Holiday", objectId: id), field: "countries", memberClass: "Country",
                    memberIds: members)
            ], at: clock.now, overlap: .zero)
        bases[id] = Set(members)
    }
}
