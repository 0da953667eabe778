import Foundation
import GatewayAPI
import HTTPServer
import HTTPTypes
import ParseModel
import Testing

@testable import Gateway

/// Tests that the gateway answers unusual client requests like a Parse Server.
@Suite("Unusual requests, answered like a Parse Server")
struct DialectTests {
    private let directory: TemporaryDirectory
    private let clock = TestClock()
    private let hub: Hub
    private let client: FileClient

    init() throws {
        directory = try TemporaryDirectory()
        hub = try Hub(directory, clock: clock, allowsChosenIds: true, keys: ClientKeys(masterKey: "master"))
        client = FileClient(api: hub.api)
    }

    private func ask(
        _ method: HTTPRequest.Method, _ target: String, _ headers: HTTPFields = [:], _ body: String = ""
    ) async throws -> (status: Int, json: JSONObject) {
        var headers = headers
        headers[HTTPField.Name("X-Parse-Master-Key")!] = "master"
        let response = await client.send(method, target, headers, Array(body.utf8))
        return (response.status.code, try response.json)
    }

    private func days(_ query: String) async throws -> [JSONObject] {
        let answer = try await ask(.get, "/classes/Day?\(query)")
        return try #require(answer.json["results"]?.array, "\(answer)").compactMap(\.object)
    }

    @Test func parameterKeysMayBeRepeatedOrEmpty() async throws {
        _ = try await ask(.post, "/classes/Day", [:], #"{"a":1,"b":2,"c":3}"#)
        let always = ["objectId", "createdAt", "updatedAt"]
        #expect(try await days("keys=a&keys=b")[0].keys == ["a", "b"] + always)
        #expect(try await days("keys=")[0].keys == always)
        let id = try #require(try await days("")[0]["objectId"]?.string)
        #expect(try await ask(.get, "/classes/Day/\(id)?keys=").json.keys == always)
        #expect(try await ask(.get, "/classes/Day/\(id)?keys=a&keys=b").json.keys == ["a", "b"] + always)
    }

    @Test func filesInAnswersHaveURLsOfTheGateway() async throws {
        for url in ["https://evil.example/x", "javascript:alert(1)", ""] {
            let body: JSONObject = ["f": ["__type": "File", "name": "a.png", "url": .string(url)]]
            let made = try await ask(.post, "/classes/Day", [:], body.jsonText)
            let id = try #require(made.json["objectId"]?.string)
            let other = try await ask(.post, "/classes/Day", [:], "{}")
            let otherId = try #require(other.json["objectId"]?.string)
            let path = "/classes/Day/\(otherId)"
            let item: JSONValue = ["method": "PUT", "path": .string(path), "body": .object(body)]
            let changed: JSONObject = ["requests": [item]]
            #expect(try await ask(.post, "/batch", [:], changed.jsonText).status == 200)
            _ = try await ask(.put, "/classes/Day/\(otherId)", [:], JSONObject([("f.url", .string(url))]).jsonText)
            for id in [id, otherId] {
                let file = try await ask(.get, "/classes/Day/\(id)").json["f"]?.object
                #expect(file?["url"]?.string?.hasSuffix("/a.png") == true && file?["url"] != .string(url))
            }
        }
        // A file value inside an array is not a file field, so its URL stays as the client sent it.
        let inside: JSONObject = ["l": [["__type": "File", "name": "a.png", "url": "https://x.example/a.png"]]]
        let id = try #require(try await ask(.post, "/classes/Day", [:], inside.jsonText).json["objectId"]?.string)
        #expect(try await ask(.get, "/classes/Day/\(id)").json["l"] == inside["l"])
    }

    @Test func fileThatIsADefaultValueHasAURLOfTheGateway() async throws {
        let file: JSONValue = ["__type": "File", "name": "a.png", "url": "javascript:alert(1)"]
        let schema: JSONObject = ["className": "Night", "fields": ["f": ["type": "File", "defaultValue": file]]]
        #expect(try await ask(.post, "/schemas/Night", [:], schema.jsonText).status == 200)
        let id = try #require(try await ask(.post, "/classes/Night", [:], "{}").json["objectId"]?.string)
        let url = try await ask(.get, "/classes/Night/\(id)").json["f"]?.object?["url"]?.string
        #expect(url?.hasSuffix("/a.png") == true)
    }

    @Test func objectsMayBeSentAsFormEncodedBodies() async throws {
        let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        let made = try await ask(.post, "/classes/Day", form, "name=Midsummer+eve&n=5")
        #expect(made.status == 201)
        #expect(try await days("keys=name,n")[0]["name"] == "Midsummer eve")
        #expect(try await days("keys=name,n")[0]["n"] == "5")
        let found = try await ask(.post, "/classes/Day", form, "_method=GET&where=%7B%22n%22%3A%225%22%7D&count=1")
        #expect(found.json["count"] == 1)
        // curl sends JSON with the content type of a form if none is given.
        #expect(try await ask(.post, "/classes/Night", form, #"{"n":5}"#).status == 201)
    }

    /// A parameter of eighty bytes with large array indexes must not exhaust the memory.
    @Test(arguments: ["order=%@", "where={\"%@\":1}", "keys=%@", "include=%@", "excludeKeys=%@"])
    func queriesByFieldPathsWithManyArrayIndexesAreAnswered(_ query: String) async throws {
        _ = try await ask(.post, "/classes/Day", [:], #"{"a":[[1]]}"#)
        for count in [8, 9, 26, 31, 32, 200] {
            let path = "a" + String(repeating: ".0", count: count)
            let encoded = try #require(
                query.replacing("%@", with: path).addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed))
            let status = try await ask(.get, "/classes/Day?\(encoded)").status
            #expect(status == (count < 32 ? 200 : 400), "\(query) \(count)")
        }
    }

    @Test func batchedQueriesByFieldPathsWithManyArrayIndexesAreAnswered() async throws {
        _ = try await ask(.post, "/classes/Day", [:], #"{"a":[[1]]}"#)
        for count in [9, 10, 26, 31, 32, 200] {
            let path = "a" + String(repeating: ".0", count: count)
            let inner: JSONValue = ["$inQuery": ["className": "Day", "where": [path: ["$exists": true]]]]
            let bodies: [JSONObject] = [
                ["where": [path: 1]], ["order": .string("-" + path)], ["where": ["day": inner]],
            ]
            let items = bodies.map { body -> JSONValue in
                ["method": "GET", "path": "/classes/Day", "body": .object(body)]
            }
            let body = (["requests": .array(items)] as JSONObject).jsonBytes
            let key: HTTPFields = [HTTPField.Name("X-Parse-Master-Key")!: "master"]
            let answer = try JSONReader.read(await client.send(.post, "/batch", key, body).body).array ?? []
            #expect(answer.count == 3)
            for item in answer { #expect((item.object?["success"] != nil) == (count < 32), "\(count): \(item)") }
        }
    }

    @Test func writesToFieldPathsWithManyArrayIndexesAreAnswered() async throws {
        for count in [9, 26, 31, 32, 200] {
            let path = "a" + String(repeating: ".0", count: count)
            let made = try await ask(.post, "/classes/Day", [:], #"{"\#(path)":1}"#)
            #expect(made.status == (count < 32 ? 201 : 400), "\(count)")
        }
    }

    /// A new gateway already has these classes.
    @Test(arguments: ["_User", "_Role"]) func deletingABuiltInClassHasNoEffect(name: String) async throws {
        #expect(try await ask(.delete, "/schemas/\(name)").status == 200)
        #expect(try await ask(.delete, "/schemas/\(name)").json == [:])
        let shown = try await ask(.get, "/schemas/\(name)")
        #expect(shown.status == 200 && shown.json["className"] == .string(name))
        let all = try await ask(.get, "/schemas").json["results"]?.array ?? []
        #expect(all.contains { $0.object?["className"] == .string(name) })
    }

    @Test func emptyArraysInASchemaMeanNoFieldsAndNoIndexes() async throws {
        #expect(try await ask(.post, "/schemas/Day", [:], #"{"fields":[],"classLevelPermissions":1234}"#).status == 200)
        let changed = try await ask(.put, "/schemas/Day", [:], #"{"fields":[],"indexes":[]}"#)
        #expect(changed.status == 200)
        #expect(changed.json["indexes"] == ["_id_": ["_id": 1]])
        #expect(changed.json["classLevelPermissions"]?.object?["find"] == [:])
    }

    @Test func aRelationOfAnUnsavedOwnerHasNoMembers() async throws {
        let query = #"{"$relatedTo":{"object":{"__type":"Pointer","className":"Trip"},"key":"days"}}"#
        let encoded = try #require(query.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        #expect(try await ask(.get, "/classes/Day?where=\(encoded)").json == ["results": []])
    }

    @Test func sortOrderAcceptsTheOldNamesOfCreatedAtAndUpdatedAt() async throws {
        for name in ["first", "second"] {
            _ = try await ask(.post, "/classes/Day", [:], #"{"name":"\#(name)"}"#)
            clock.advance(.seconds(1))
        }
        for order in ["-_created_at", "-_updated_at", "-_created_at,name"] {
            #expect(try await days("order=\(order)").map { $0["name"] } == ["second", "first"], "\(order)")
        }
        #expect(try await ask(.get, "/classes/Day?order=_rperm").status == 400)
        let many = (0..<2000).map { "f\($0)" }.joined(separator: ",")
        let refused = try await ask(.get, "/classes/Day?order=\(many)")
        #expect(refused.status == 400 && refused.json["code"] == 102)
    }
}
