import Foundation
import HTTPServer
import HTTPTypes
import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import Gateway

/// `GET /classes/{className}?_fields=true`: the fields of the objects that the caller may read.
@Suite("Fields in use")
struct FieldsInUseTests {
    private let hub: Hub
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        hub = try Hub(directory, clock: TestClock(), allowsChosenIds: true)
    }

    private func fields(_ query: String = "", of className: String = "Task") async throws -> JSONObject {
        let response = await hub.api.handle(
            HTTPServerRequest(
                method: .get, path: "/classes/\(className)", query: "_fields=true\(query)",
                headers: [HTTPField.Name("Host")!: "127.0.0.1:1338"], body: [])
        ).response()
        let answer = try #require(try JSONReader.read(response.body).object)
        guard response.status == .ok else { return answer }
        #expect(answer["results"] == [] && answer["complete"] == true)
        return try #require(answer["fields"]?.object)
    }

    private let common: [String] = ["createdAt", "objectId", "updatedAt"]

    @Test func fieldOfASingleObjectIsFoundWithItsType() async throws {
        for number in 0..<300 { try await hub.store.create("Task", ["n": .int(number)]) }
        try await hub.store.create(
            "Task", ["owner": Pointer(className: "Person", objectId: "p").json, "due": nil, "tags": ["a"]])
        let found = try await fields("&limit=1&order=n")
        #expect(found.map(\.key) == ["createdAt", "n", "objectId", "owner", "tags", "updatedAt"])
        #expect(found["owner"] == ["type": "Pointer", "targetClass": "Person"])
        #expect(found["createdAt"] == ["type": "Date"] && found["n"] == ["type": "Number"])
        #expect(found["tags"] == ["type": "Array"])
    }

    @Test func firstValueThatIsNotNullGivesTheType() async throws {
        try await hub.store.create("Task", ["a": 1, "due": nil])
        try await hub.store.create("Task", ["a": 1, "due": ParseDate(milliseconds: 0).json])
        #expect(try await fields()["due"] == ["type": "Date"])
    }

    @Test func conditionsSelectTheObjects() async throws {
        try await hub.store.create("Task", ["a": 1])
        try await hub.store.create("Task", ["b": 1])
        #expect(try await fields("&where=%7B%22a%22%3A1%7D").map(\.key).sorted() == ["a"] + common)
    }

    @Test func fieldsOfUnreadableObjectsAndHiddenFieldsAreNotTold() async throws {
        _ = try await hub.store.changeSchema("Task") { _ in
            var schema = ClassSchema("Task")
            schema.permissions = ["find": ["*": true], "get": ["*": true], "protectedFields": ["*": ["secret"]]]
            return SchemaChange(schema)
        }
        try await hub.store.create("Task", ["a": 1, "secret": 1])
        try await hub.store.create("Task", ["other": 1, "ACL": ["someone": ["read": true]]])
        #expect(try await fields().map(\.key).sorted() == ["a"] + common)
    }

    @Test func classThatTheCallerMayNotListIsRefused() async throws {
        _ = try await hub.store.changeSchema("Task") { _ in
            var schema = ClassSchema("Task")
            schema.permissions = ["find": [:], "get": ["*": true]]
            return SchemaChange(schema)
        }
        try await hub.store.create("Task", ["a": 1])
        #expect(try await fields()["code"] == 119)
    }
}
