import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import LocalStore

/// A standalone store enforces the permissions of classes.
@Suite struct ClassPermissionTests {
    private let store: LocalStore
    private let me = Principal.signedIn("u1")
    private let other = Principal.signedIn("u2")

    init() throws { store = try LocalStore.make() }

    private func permit(_ permissions: JSONObject?, of className: String = "Note") async throws {
        _ = try await store.changeSchema(className) { before in
            var schema = before ?? ClassSchema(className)
            schema.permissions = permissions
            return SchemaChange(schema)
        }
    }

    private func perform(_ request: WriteRequest, as principal: Principal) async throws -> WriteReceipt {
        try await store.perform([request], as: principal, atomically: false)[0].get()
    }

    private func count(_ query: ParseQuery = ParseQuery(), as principal: Principal) throws -> Int {
        try store.find("Note", query, as: principal).objects.count
    }

    private static func denied(_ action: String) -> ParseError {
        ParseError.denial(.operationForbidden, "Permission denied for action \(action) on class Note.")
    }

    private static let mine = Pointer(className: "_User", objectId: "u1").json

    @Test func aChangeOfClassPermissionsTakesEffectAtOnce() async throws {
        let id = try await store.create(["n": 1], of: "Note")
        for _ in 0..<3 {
            try await permit(["find": ["u1": true], "get": ["u1": true]])
            #expect(try count(as: me) == 1)
            #expect(throws: Self.denied("find")) { try count(as: other) }
            #expect(throws: Self.denied("get")) { try store.object("Note", id, as: other) }
            try await permit(nil)
            #expect(try count(as: other) == 1)
            #expect(try store.object("Note", id, as: .public) != nil)
        }
    }

    @Test func writesThatTheClassPermissionsRefuseChangeNothing() async throws {
        let id = try await store.create(["n": 1], of: "Note")
        try await permit(["find": ["*": true]])
        let requests: [(String, WriteRequest)] = [
            ("create", .create(className: "Note", body: ["n": 2])),
            ("update", .update(className: "Note", objectId: id, body: ["n": 2])),
            ("delete", .delete(className: "Note", objectId: id)),
        ]
        for (action, request) in requests {
            await #expect(throws: Self.denied(action)) { try await perform(request, as: me) }
        }
        #expect(try store.find("Note", ParseQuery()).objects.map { try $0.fields(of: "Note")["n"] } == [1])
    }

    @Test func newFieldsNeedThePermissionAddField() async throws {
        let id = try await store.create(["n": 1, "owner": Self.mine], of: "Note")
        let all: JSONValue = ["*": true]
        try await permit(["create": all, "update": all, "addField": ["pointerFields": ["owner"]]])
        _ = try await perform(.create(className: "Note", body: ["n": 2]), as: other)
        await #expect(throws: Self.denied("addField")) {
            try await perform(.create(className: "Note", body: ["m": 2]), as: me)
        }
        await #expect(throws: ParseError.objectNotFound) {
            try await perform(.update(className: "Note", objectId: id, body: ["m": 2]), as: other)
        }
        #expect(try store.schema(of: "Note")?["m"] == nil)
        _ = try await perform(.update(className: "Note", objectId: id, body: ["m": 2]), as: me)
        #expect(try store.schema(of: "Note")?["m"] != nil)
    }

    @Test func pointerPermissionsRestrictReadsAndWrites() async throws {
        let mine = try await store.create(["owner": Self.mine], of: "Note")
        let shared = try await store.create(["editors": [Self.mine]], of: "Note")
        let theirs = try await store.create(["owner": Pointer(className: "_User", objectId: "u2").json], of: "Note")
        try await permit([
            "find": ["pointerFields": ["owner"]], "get": ["pointerFields": ["owner"]], "count": ["*": true],
            "update": [:],
            "readUserFields": ["editors"], "writeUserFields": ["editors"],
        ])
        let found = try store.find("Note", ParseQuery(wantsCount: true), as: me)
        #expect(found.objects.map(\.objectId) == [mine, shared])
        #expect(found.count == 3)
        #expect(try store.object("Note", theirs, as: me) == nil)
        #expect(try store.object("Note", mine, as: me) != nil)
        #expect(try count(as: .public) == 0)
        _ = try await perform(.update(className: "Note", objectId: shared, body: ["editors": []]), as: me)
        await #expect(throws: ParseError.objectNotFound.denyingWrite) {
            try await perform(.update(className: "Note", objectId: mine, body: ["owner": ["__op": "Delete"]]), as: me)
        }
    }

    @Test func protectedFieldsAreLeftOutOfReads() async throws {
        let id = try await store.create(["owner": Self.mine, "secret": 1, "n": 1], of: "Note")
        let all: JSONValue = ["*": true]
        try await permit([
            "find": all, "get": all, "update": all, "protectedFields": ["*": ["secret"], "userField:owner": []],
        ])
        let seen = { (principal: Principal) in
            [
                try store.object("Note", id, as: principal)?.fields(of: "Note")["secret"],
                try store.find("Note", ParseQuery(), as: principal).objects.first?.fields(of: "Note")["secret"],
            ]
        }
        #expect(try seen(me) == [1, 1])
        #expect(try seen(other) == [nil, nil])
        let receipt = try await perform(
            .update(className: "Note", objectId: id, body: ["secret": .increment(1), "n": .increment(1)]), as: other)
        #expect(receipt.echoed == ["n": 2])
        // A reader who may not see the field uses the same tag for a conditional write.
        for principal in [me, other] {
            let object = try #require(try store.object("Note", id, as: principal))
            let terms = WriteTerms(match: .tags([object.contentMark.tag]))
            _ = try await perform(.update(className: "Note", objectId: id, body: ["n": 5], terms: terms), as: principal)
        }
    }

    /// The statement for a refused list binds no value of its unused conditions.
    @Test func aCountNeedsNoFindPermission() async throws {
        try await store.create(["ACL": ["u1": ["read": true]]], of: "Note")
        try await permit(["count": ["*": true]])
        let query = ParseQuery(limit: 0, wantsCount: true)
        #expect(try store.find("Note", query, as: me).count == 1)
        #expect(try store.find("Note", query, as: other).count == 0)
        for principal in [me, other, .public] {
            #expect(try !store.explain("Note", query, as: principal, timeout: .unlimited).isEmpty)
        }
    }

    @Test func aUserListsOnlyTheUsersOwnSessions() async throws {
        let mine = try await store.create(["user": Self.mine], of: "_Session")
        let theirs = try await store.create(["user": Pointer(className: "_User", objectId: "u2").json], of: "_Session")
        #expect(try store.find("_Session", ParseQuery(wantsCount: true), as: me).objects.map(\.objectId) == [mine])
        #expect(try store.find("_Session", ParseQuery(limit: 0, wantsCount: true), as: me).count == 1)
        #expect(try store.object("_Session", theirs, as: me) == nil)
        await #expect(throws: ParseError(.objectNotFound, "Object not found for delete.")) {
            try await perform(.delete(className: "_Session", objectId: theirs), as: me)
        }
        _ = try await perform(.delete(className: "_Session", objectId: mine), as: me)
        #expect(try store.find("_Session", ParseQuery()).objects.map(\.objectId) == [theirs])
    }
}
