import ParseModel
import Testing

/// Exports and imports of schemas, permissions, indexes and the global config.
@Suite struct SchemaTransferTests {
    private let note: JSONObject = [
        "fields": [
            "text": ["type": "String", "required": true], "n": ["type": "Number", "defaultValue": 7],
            "author": ["type": "Pointer", "targetClass": "_User"], "place": ["type": "GeoPoint"],
        ],
        "classLevelPermissions": [
            "find": ["requiresAuthentication": true], "get": ["*": true], "create": ["role:editors": true],
            "protectedFields": ["*": ["n"]],
        ],
        "indexes": ["byText": ["text": 1], "byPlace": ["place": "2dsphere"]],
    ]

    /// A gateway with an object that is older than the requirement and the default value of its class.
    private func gateway() async throws -> AccountClient {
        let client = try AccountClient()
        func send(_ method: String, _ target: String, _ body: JSONObject) async throws {
            let answer = try await client.send(method, target, body, master: true)
            #expect(answer.status < 300, "\(answer.text)")
        }
        try await send("POST", "/classes/Note", ["title": "older"])
        try await send("PUT", "/schemas/Note", note)
        try await send("POST", "/schemas/Empty", ["fields": ["team": ["type": "Relation", "targetClass": "Note"]]])
        try await send("PUT", "/schemas/_User", ["fields": ["age": ["type": "Number"]]])
        try await send(
            "PUT", "/config",
            ["params": ["color": "green", "limit": ["a": [1, .null]]], "masterKeyOnly": ["limit": true]])
        return client
    }

    @Test func anImportOfAnExportHasTheSchemasPermissionsIndexesAndTheConfig() async throws {
        let source = try await gateway()
        let exported = try await source.export("")
        let copy = try AccountClient()
        let result = try await copy.importText("", exported)
        #expect(result["refused"] == 0, "\(result.jsonText)")
        #expect(try await copy.export("") == exported)
        #expect(try await copy.importText("", exported)["unchanged"] == result["objects"])
        for target in ["/schemas", "/config", "/classes/Note", "/classes/_GlobalConfig"] {
            let texts = (
                try await source.send("GET", target, master: true).text,
                try await copy.send("GET", target, master: true).text
            )
            #expect(texts.0 == texts.1)
        }
        #expect(try await copy.send("GET", "/config").json["params"] == ["color": "green"])
        #expect(try await copy.send("POST", "/classes/Note", ["text": "x"]).code == 119)
        #expect(try await copy.send("POST", "/classes/Note", ["title": "x"], master: true).code == 142)
    }

    @Test func anImportOfAClassWithoutPermissionsKeepsThePresentOnes() async throws {
        let source = try await gateway()
        let line = try #require(
            try await source.export("/_SCHEMA").split(separator: "\n").first { $0.contains(#""objectId":"Empty""#) })
        let copy = try AccountClient()
        let permissions: JSONObject = ["classLevelPermissions": ["find": ["role:editors": true]]]
        _ = try await copy.send("POST", "/schemas/Empty", permissions, master: true)
        #expect(try await copy.importText("/_SCHEMA", String(line)).counts == [0, 1, 0, 0])
        let schema = try await copy.send("GET", "/schemas/Empty", master: true).json
        #expect(schema["classLevelPermissions"]?.object?["find"] == ["role:editors": true])
        #expect(schema["fields"]?.object?["team"] == ["type": "Relation", "targetClass": "Note"])
    }

    @Test(arguments: ["ndjson", "parse"]) func aFileOfSchemasOrOfTheConfigIsImportedAlone(format: String) async throws {
        let source = try await gateway()
        let copy = try AccountClient()
        for className in ["_SCHEMA", "_GlobalConfig"] {
            let exported = try await source.export("/\(className)?format=\(format)")
            let checked = try await copy.importText("/\(className)?format=\(format)&dryRun=true", exported)
            let written = try await copy.importText("/\(className)?format=\(format)", exported, .master)
            #expect(checked.counts == written.counts && written["refused"] == 0)
            #expect(try await copy.export("/\(className)?format=\(format)") == exported)
        }
    }

    @Test func anImportKeepsWhatTheFileDoesNotName() async throws {
        let client = try await gateway()
        _ = try await client.importText("/_GlobalConfig", #"{"objectId":"1","params":{"added":1}}"#)
        let line = #"{"objectId":"Note","fields":{"added":{"type":"Boolean"}},"indexes":{"byN":{"n":1}}}"#
        #expect(try await client.importText("/_SCHEMA", line).counts == [0, 1, 0, 0])
        let schema = try await client.send("GET", "/schemas/Note", master: true).json
        #expect(schema["fields"]?.object?["text"] == ["type": "String", "required": true])
        #expect(schema["fields"]?.object?["added"] == ["type": "Boolean"])
        #expect(schema["indexes"]?.object?.keys.sorted() == ["_id_", "byN", "byPlace", "byText"])
        #expect(schema["classLevelPermissions"]?.object?["create"] == ["role:editors": true])
        let config = try await client.send("GET", "/config", master: true).json
        #expect(config["params"]?.object?.keys.sorted() == ["added", "color", "limit"])
        #expect(config["masterKeyOnly"]?.object?["limit"] == true)
    }

    @Test(arguments: [
        (#"{"objectId":"Note","fields":{"text":{"type":"Number"}}}"#, "Field text exists"),
        (#"{"objectId":"Note","fields":{"text":{"__op":"Delete"}}}"#, "has an operation on text"),
        (#"{"objectId":"Note","indexes":{"byText":{"n":1}}}"#, "Index byText exists"),
        (#"{"objectId":"Note","classLevelPermissions":{"find":{"*":7}}}"#, "not a valid value"),
        (#"{"objectId":"_Hooks"}"#, "Invalid classname"), (#"{"fields":{}}"#, "the name of its class"),
    ]) func aSchemaThatContradictsThePresentOneIsRefused(line: String, reason: String) async throws {
        let client = try await gateway()
        let before = try await client.export("")
        let other = #"{"objectId":"Other","fields":{}}"# + "\n"
        let refused = try await client.importText("/_SCHEMA", other + line, status: 400)
        #expect(refused["refused"] == 1 && refused.refusalTexts[0].contains(reason), "\(refused.jsonText)")
        #expect(try await client.export("") == before)
    }

    @Test func aSchemaThatContradictsAnObjectOfItsFileIsRefused() async throws {
        let client = try AccountClient()
        let text =
            #"{"className":"Note","n":"text"}"# + "\n"
            + #"{"className":"_SCHEMA","objectId":"Note","fields":{"n":{"type":"Number"}}}"#
        let refused = try await client.importText("", text, status: 400)
        #expect(refused.refusalTexts == ["2: schema mismatch for Note.n; expected String but got Number"])
        #expect(try await client.export("") == "")
    }

    @Test func onlyTheOwnerExportsAndImportsSchemas() async throws {
        let client = try await gateway()
        let token = try #require(try await client.send("POST", "/users", ["username": "ada", "password": "x"]).token)
        for className in ["_SCHEMA", "_GlobalConfig"] {
            let line = try await client.export("/\(className)").split(separator: "\n")[0]
            for key in [AccountClient.TransferKey.none, .session(token)] {
                #expect(try await client.transfer(.get, "/export/\(className)", "", key).status == 403)
                let answer = try await client.transfer(.post, "/import/\(className)", String(line), key)
                #expect(answer.status == 400 && answer.text.contains("master key"), "\(answer)")
            }
            let table = try await client.transfer(.get, "/export/\(className)?format=csv", "", .master)
            #expect(table.status == 400)
        }
    }
}
