import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

@testable import LocalStore

/// Rights are applied twice: in SQL, and object by object with the pure rules. Both must give every caller the same answers.
@Suite("Rights in SQL and in the access rules agree")
struct RightsAgreementTests {
    @Test(arguments: 1...6) func rightsInSQLAndInTheRulesAgreeOnRandomQueries(seed: Int) async throws {
        var world = try await World(seed: UInt64(seed))
        var (asked, restricted) = (0, 0)
        for round in 0..<120 {
            if round % 10 == 0 { try await world.drawPermissions() }
            if round == 60 { _ = try await world.store.tendIndexes() }
            let plain = world.plain(as: world.rights.principal())
            let parameters = world.random.parameters()
            let query = try ParseQuery(parameters: parameters)
            let expected = Result { try plain.found("Row", query) }
            let actual = Result { try world.store.find("Row", query, as: plain.principal) }
            let what = "\(parameters.jsonText) as \(plain.principal), \(plain.permissions)"
            switch (expected, actual) {
            case (.success(let expected), .success(let actual)):
                #expect(try actual.objects.map { try $0.fields(of: "Row") } == expected.page, "\(what)")
                #expect(actual.count == expected.count, "\(what)")
                if expected.count != (try world.plain(as: .master).found("Row", query).count) { restricted += 1 }
            case (.failure(let expected), .failure(let actual)):
                #expect(expected as? ParseError == actual as? ParseError, "\(what)")
            default: Issue.record("expected \(expected), got \(actual): \(what)")
            }
            asked += 1
            try await world.tryWrites(as: world.rights.principal())
        }
        // With rights that hide nothing, the test would prove little.
        #expect(restricted > asked / 20, "\(restricted) of \(asked)")
    }

    @Test(arguments: 1...4) func rightsInSQLAndInTheRulesAgreeOnReadsById(seed: Int) async throws {
        var world = try await World(seed: UInt64(100 + seed))
        var seen: Set<Bool> = []
        for _ in 0..<10 {
            try await world.drawPermissions()
            let plain = world.plain(as: world.rights.principal())
            for id in RandomQueries.ids {
                let expected = Result { try plain.object("Row", id) }
                let actual = Result {
                    try world.store.object("Row", id, as: plain.principal).map { try $0.fields(of: "Row") }
                }
                switch (expected, actual) {
                case (.success(let expected), .success(let actual)):
                    #expect(expected == actual, "\(id) as \(plain.principal), \(plain.permissions)")
                    seen.insert(expected != nil)
                case (.failure(let expected), .failure(let actual)):
                    #expect(expected as? ParseError == actual as? ParseError)
                default: Issue.record("\(id): expected \(expected), got \(actual)")
                }
            }
        }
        #expect(seen == [true, false])
    }

    /// A standalone store, and the same objects as a list.
    private struct World {
        let store: LocalStore
        let random: RandomQueries
        let rights: RandomRights
        private var objects: [String: [JSONObject]] = [:]
        private var permissions: [String: JSONObject] = [:]
        private var members: [Pointer: Set<Pointer>] = [:]
        private var fieldCount = 0

        init(seed: UInt64) async throws {
            var random = RandomQueries(seed: seed)
            rights = RandomRights(random: random)
            store = try LocalStore.make { $0.indexing = IndexKeeper.Limits(missesMin: 1, objectsMin: 1) }
            for className in RandomQueries.classNames {
                let drawn = RandomQueries.ids.map { [random, rights] id in
                    let fields = JSONObject(
                        (random.object().members + rights.fields().members).map { ($0.key, $0.value) })
                    let times = [random.below(24), random.below(24)].map { ParseDate(milliseconds: Int64($0) * 1000) }
                    return (id, ObjectState(createdAt: times[0], updatedAt: times[1], fields: fields))
                }
                // No schema restricts the types of these fields.
                try await store.transactions.write { transaction in
                    for (id, view) in drawn {
                        var object = LocalObject(className: className, objectId: id)
                        object.life.view = view
                        try object.save(in: transaction)
                    }
                }
                for id in RandomQueries.ids where random.chance(2) {
                    let added = random.some(upTo: 4, random.pointer).filter { $0.object?["className"] == "Other" }
                    guard !added.isEmpty else { continue }
                    try await store.update(
                        id, ["relation": ["__op": "AddRelation", "objects": .array(added)]], of: className)
                    members[Pointer(className: className, objectId: id)] = Set(added.compactMap { Pointer($0) })
                }
            }
            self.random = random
            try reload()
            random.known = objects["Row"] ?? []
        }

        private mutating func reload() throws {
            for className in RandomQueries.classNames {
                objects[className] = try store.find(className, ParseQuery(limit: 1000)).objects.map {
                    try $0.fields(of: className)
                }
            }
        }

        /// Reads one object again. Its position in the list stays the same.
        private mutating func reload(_ id: String) throws {
            let place = try #require(objects["Row"]?.firstIndex { $0["objectId"] == .string(id) })
            objects["Row"]?[place] = try #require(try store.object("Row", id)).fields(of: "Row")
        }

        func plain(as principal: Principal) -> PlainRights {
            PlainRights(objects: objects, permissions: permissions, members: members, principal: principal)
        }

        mutating func drawPermissions() async throws {
            for className in RandomQueries.classNames {
                let drawn = rights.permissions()
                permissions[className] = drawn
                _ = try await store.changeSchema(className) { before in
                    var schema = before ?? ClassSchema(className)
                    schema.permissions = drawn
                    return SchemaChange(schema)
                }
            }
        }

        /// Updates and deletes an object as a caller. Each deleted object is stored again.
        mutating func tryWrites(as principal: Principal) async throws {
            let plain = plain(as: principal)
            let id = random.pick(RandomQueries.ids)
            let field = random.chance(3) ? "added\(fieldCount)" : "n"
            let addsField = try store.schema(of: "Row")?[field] == nil
            fieldCount += 1
            let update = WriteRequest.update(className: "Row", objectId: id, body: [field: .int(fieldCount)])
            let isUpdated = try await compare(update, as: principal) {
                try plain.checkWrite(.update, "Row", id, addsField: addsField)
            }
            if isUpdated { try reload(id) }
            let before = objects
            let isDeleted = try await compare(.delete(className: "Row", objectId: id), as: principal) {
                try plain.checkWrite(.delete, "Row", id)
            }
            guard isDeleted else { return }
            #expect(try store.object("Row", id) == nil)
            let fields = try #require(before["Row"]?.first { $0["objectId"] == .string(id) })
            members[Pointer(className: "Row", objectId: id)] = nil
            try await store.transactions.write { transaction in
                var object = LocalObject(className: "Row", objectId: id)
                object.life.view = ObjectState(json: fields)
                try object.save(in: transaction)
            }
            try reload()
        }

        private func compare(
            _ request: WriteRequest, as principal: Principal, _ check: () throws -> Void
        ) async throws -> Bool {
            let expected = Result { try check() }
            let actual = await store.perform([request], as: principal, atomically: false)[0]
            switch (expected, actual) {
            case (.success, .success): return true
            case (.failure(let expected), .failure(let actual)):
                #expect(expected as? ParseError == actual as? ParseError, "\(request) as \(principal), \(permissions)")
                return false
            default:
                Issue.record("\(request) as \(principal): expected \(expected), got \(actual), \(permissions)")
                return false
            }
        }
    }
}
