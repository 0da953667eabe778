import GatewayAPI
import Testing

/// Tests invalid class names: queries find no objects, and creates fail.
@Suite struct ImpossibleClassTests {
    @Test(arguments: ["_Foo", "1Foo", "length"], RelationRequestsTests.modes)
    func classWithAnInvalidNameIsEmptyAndRefusesWrites(_ name: String, _ mode: APIConfiguration.Mode) async throws {
        let client = try LocalClient(mode)
        let made = try await client.send("POST", "/classes/\(name)", #"{"n":1}"#)
        #expect(made.status == 400)
        #expect(made.json == ["code": 107, "error": "schema class name does not revalidate"])
        let list = try await client.send("GET", "/classes/\(name)")
        #expect(list.status == 200 && list.json == ["results": []])
        for method in ["GET", "PUT", "DELETE"] {
            #expect(try await client.send(method, "/classes/\(name)/a").json["code"] == 101)
        }
    }

    @Test(arguments: ["_Product", "_PushStatus", "_Hooks", "_Join:users:_Role"])
    func internalClassesOfParseServerAreNotSupported(_ name: String) async throws {
        let client = try LocalClient(.standalone)
        for method in ["GET", "POST"] {
            let answer = try await client.send(method, "/classes/\(name)", "{}")
            #expect(answer.status == 400 && answer.json["code"] == 119)
        }
    }
}
