import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

/// Checks after each of many random events that the visible state (view) of every object is the last known remote
/// state (base) with the pending changes applied.
@Suite("View = pending changes applied to the base")
struct ReplayLawTests {
    @Test(arguments: 1...6) func theVisibleStateIsTheRemoteStatePlusPendingChangesAfterEveryRandomStep(
        seed: Int
    ) async throws {
        var life = try RandomLife(seed: UInt64(seed))
        for _ in 0..<250 { try await life.step() }
        // At least ten of the twelve kinds of steps have happened.
        #expect(life.happened.count >= 10, "\(life.happened.sorted())")
    }
}

/// Performs random events on a store, tracks the expected remote state of every object, and applies the pending
/// changes itself.
private struct RandomLife {
    private let clock: TestClock
    private let store: LocalStore
    /// The fields of each object on the remote, as far as the store knows them, by object id.
    private var bases: [String: JSONObject] = [:]
    private var ids: [String] = []
    private var onTheirWay: [String: OutboxEntry] = [:]
    private var count = 0
    private(set) var happened: Set<String> = []

    init(seed: UInt64) throws {
        clock = TestClock(seed: seed)
        store = try LocalStore.make(.replica, clock: TestClock(seed: seed &+ 1000)) {
            // In a run without conflicts, every pulled row becomes the base, the last known remote state.
            $0.rebase = { _, row, _ in row == nil ? .keep : .replay }
        }
    }

    mutating func step() async throws {
        clock.advance(.seconds(1))
        let id = ids.isEmpty ? nil : ids[clock.random(below: ids.count)]
        switch (clock.random(below: 20), id) {
        case (_, nil): try await create()
        case (0...1, _): if ids.count < 4 { try await create() }
        case (2...7, let id?): try await edit(id)
        case (8, let id?): try await delete(id)
        case (9...12, let id?): try await freeze(id)
        case (13...16, let id?): try await settle(id)
        case (_, let id?): try await pull(id)
        }
        let steps = try store.pendingChanges() + store.rejections()
        for id in ids { try expectLaw(of: id, steps.filter { $0.objectId == id }.sorted { $0.id < $1.id }.map(\.step)) }
        // Objects that are deleted on both sides are not checked any more.
        ids.removeAll { id in bases[id] == nil && !steps.contains { $0.objectId == id } }
    }

    /// Compares the view in the store with the one that this test computes.
    private func expectLaw(of id: String, _ steps: [PendingStep]) throws {
        var expected = bases[id]
        for step in steps {
            switch step.kind {
            case .delete: expected = nil
            case .create: expected = Self.applied(step.operations.json, to: expected ?? [:])
            case .update: expected = expected.map { Self.applied(step.operations.json, to: $0) }
            }
        }
        #expect(try store.fields(id) == expected, "\(id): \(steps)")
        let isSynced = try store.state(id).map { $0 == .synced } ?? true
        #expect(isSynced == steps.isEmpty || expected == nil)
    }

    /// A second, simple implementation of Parse's field operations.
    private static func applied(_ body: JSONObject, to fields: JSONObject) -> JSONObject {
        var fields = fields
        for (field, value) in body {
            let objects = value.object?["objects"]?.array ?? []
            let elements = fields[field]?.array ?? []
            switch value.object?["__op"]?.string {
            case "Delete": fields[field] = nil
            case "Increment": fields[field] = .int((fields[field]?.int ?? 0) + (value.object?["amount"]?.int ?? 0))
            case "Add": fields[field] = .array(elements + objects)
            case "AddUnique":
                fields[field] = .array(objects.reduce(elements) { $0.contains($1) ? $0 : $0 + [$1] })
            case "Remove": fields[field] = .array(elements.filter { !objects.contains($0) })
            default: fields[field] = value
            }
        }
        return fields
    }

    // MARK: Local clients

    private mutating func body() -> JSONObject {
        var body = JSONObject()
        for _ in 0...clock.random(below: 2) {
            let element = JSONValue.int(clock.random(below: 3))
            switch clock.random(below: 8) {
            case 0: body["n"] = .int(clock.random(below: 100))
            case 1, 2: body["n"] = .increment(clock.random(below: 9) - 4)
            case 3: body["tags"] = .op("Add", element)
            case 4: body["tags"] = .op("AddUnique", element, 7)
            case 5: body["tags"] = .op("Remove", element)
            case 6: body["tags"] = [element]
            default: body["name"] = clock.random(below: 2) == 0 ? ["__op": "Delete"] : .string("\(count)")
            }
        }
        return body
    }

    private mutating func create() async throws {
        happened.insert("create")
        let body = body()
        let id = try await store.create(body)
        ids.append(id)
        #expect(try store.fields(id) == Self.applied(body, to: [:]))
    }

    private mutating func edit(_ id: String) async throws {
        guard let before = try store.fields(id) else { return }
        count += 1
        happened.insert("edit")
        let body = body()
        try await store.update(id, body)
        #expect(try store.fields(id) == Self.applied(body, to: before))
    }

    private mutating func delete(_ id: String) async throws {
        guard try store.object("Holiday", id) != nil else { return }
        happened.insert("delete")
        try await store.delete(id)
        #expect(try store.object("Holiday", id) == nil)
    }

    // MARK: The engine

    private mutating func freeze(_ id: String) async throws {
        let before = try store.json(id)
        let waiting = try await store.sync.outbox(limit: 1000).filter { $0.objectId == id }
        guard let entry = try await store.sync.freeze(waiting, at: clock.now).first else { return }
        happened.insert("freeze")
        onTheirWay[id] = entry
        #expect(try store.json(id) == before)
    }

    private mutating func settle(_ id: String) async throws {
        guard let entry = onTheirWay.removeValue(forKey: id) else { return }
        let before = try store.fields(id)
        switch clock.random(below: 6) {
        case 0:
            happened.insert("rejected")
            try await store.sync.settle([(entry, .rejected(code: 142, message: "no"))])
            // A write in the meantime may have made the refused step pending again.
            let isRefused = try store.rejections().contains { $0.id == entry.id }
            if isRefused, clock.random(below: 2) == 0 {
                try await store.giveUpRejection(entry.id)
                happened.insert("given up")
                return
            }
        case 1:
            happened.insert("sent again")
            try await store.sync.settle([(entry, .sendAgain)])
        case 2:
            happened.insert("not executed")
            try await store.sync.settle([(entry, .notExecuted(wasAttempted: false, error: "offline"))])
        default:
            try await acknowledge(entry)
            // The visible state already contained the change that the remote has executed.
            #expect(try store.fields(ids[place(of: id)]) == before)
            return
        }
        #expect(try store.fields(id) == before)
    }

    private var renamed: [String: String] = [:]
    private func place(of id: String) -> Int { ids.firstIndex(of: renamed[id] ?? id) ?? 0 }

    private mutating func acknowledge(_ entry: OutboxEntry) async throws {
        let id = entry.objectId
        guard entry.step.kind != .delete else {
            happened.insert("deleted")
            try await store.sync.settle([(entry, .applied(id))])
            bases[id] = nil
            return
        }
        let isAdopted = entry.step.kind == .create && clock.random(below: 2) == 0
        let remoteId = isAdopted ? "remote\(id)" : id
        happened.insert(isAdopted ? "adopted" : "acknowledged")
        try await store.sync.settle([(entry, .applied(remoteId, createdMs: 1000, updatedMs: clock.now.milliseconds))])
        bases[remoteId] = Self.applied(entry.step.operations.json, to: bases[id] ?? [:])
        guard isAdopted else { return }
        bases[id] = nil
        renamed[id] = remoteId
        ids[ids.firstIndex(of: id) ?? 0] = remoteId
    }

    private mutating func pull(_ id: String) async throws {
        guard let base = bases[id], onTheirWay[id] == nil else { return }
        happened.insert("pull")
        var fields = base
        fields["n"] = .int(clock.random(below: 100))
        fields["theirs"] = .int(count)
        try await store.pull([.make(id, fields, createdMs: 1000, updatedMs: clock.now.milliseconds)])
        bases[id] = fields
    }
}
