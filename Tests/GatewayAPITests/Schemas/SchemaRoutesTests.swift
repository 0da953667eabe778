import GatewayAPI
import HTTPTypes
import ParseModel
import StoreService
import Testing

@Suite struct SchemaRoutesTests {
    private let gateway = Gateway.make { $0.keys = .init(masterKey: "master") }
    private let master = ["X-Parse-Master-Key": "master"]

    private func send(_ line: String, _ body: String = "") async -> Answer {
        await gateway.send(line, master, body: body)
    }

    @Test(arguments: [
        "GET /schemas", "GET /schemas/Holiday", "POST /schemas", "POST /schemas/Holiday", "PUT /schemas/Holiday",
        "DELETE /schemas/Holiday", "DELETE /purge/Holiday",
    ])
    func schemasNeedTheMasterKey(_ line: String) async {
        expect(await gateway.send(line), 403, #"{"error":"unauthorized: master key is required"}"#)
    }

    @Test func createdClassIsShownWithItsSchema() async throws {
        let body = #"{"className":"Holiday","fields":{"n":{"type":"Number","required":true,"defaultValue":3}}}"#
        let made = await send("POST /schemas", body)
        #expect(made.status == 200)
        let shown = try made.json.object
        #expect(shown?["className"] == "Holiday")
        #expect(
            shown?["fields"] == [
                "objectId": ["type": "String"], "createdAt": ["type": "Date"], "updatedAt": ["type": "Date"],
                "ACL": ["type": "ACL"], "n": ["type": "Number", "required": true, "defaultValue": 3],
            ])
        #expect(shown?["classLevelPermissions"]?.object?["find"] == ["*": true])
        #expect(shown?["indexes"] == nil)
        #expect(await send("GET /schemas/Holiday").text == made.text)
        #expect(await send("GET /parse/schemas").text == #"{"results":[\#(made.text)]}"#)
    }

    @Test func schemaRequestMayNameItsClassInThePath() async throws {
        #expect(await send("POST /schemas/Holiday").status == 200)
        #expect(await send("POST /schemas/Day", #"{"className":"Day"}"#).status == 200)
        expect(
            await send("POST /schemas/Day", #"{"className":"Night"}"#), 400,
            #"{"code":103,"error":"Class name mismatch between Night and Day."}"#)
        expect(
            await send("PUT /schemas/Day", #"{"className":"Night"}"#), 400,
            #"{"code":103,"error":"Class name mismatch between Night and Day."}"#)
        expect(await send("POST /schemas", "{}"), 400, #"{"code":135,"error":"POST /schemas needs a class name."}"#)
        expect(await send("POST /schemas/Day"), 400, #"{"code":103,"error":"Class Day already exists."}"#)
    }

    @Test func schemaUpdateKeepsUnnamedFields() async throws {
        #expect(
            await send("POST /schemas/Day", #"{"fields":{"a":{"type":"String"},"b":{"type":"Date"}}}"#).status == 200)
        let changed = await send(
            "PUT /schemas/Day", #"{"fields":{"a":{"__op":"Delete"},"c":{"type":"Pointer","targetClass":"Day"}}}"#)
        #expect(changed.status == 200)
        let fields = try changed.json.object?["fields"]?.object
        #expect(fields?["a"] == nil)
        #expect(fields?["b"] == ["type": "Date"])
        #expect(fields?["c"] == ["type": "Pointer", "targetClass": "Day"])
        expect(await send("DELETE /schemas/Day"), 200, "{}")
        expect(await send("GET /schemas/Day"), 400, #"{"code":103,"error":"Class Day does not exist."}"#)
        expect(await send("PUT /schemas/Day"), 400, #"{"code":103,"error":"Class Day does not exist."}"#)
        expect(
            await send("DELETE /schemas/1bad"), 400,
            #"{"code":103,"error":"Invalid classname: 1bad, classnames can only have alphanumeric characters and _, "#
                + #"and must start with an alpha character "}"#)
    }

    @Test func aReplicaForwardsSchemaRequestsToItsRemote() async throws {
        let remote = FakeRemote(200, body: #"{"results":[]}"#)
        let gateway = Gateway.make(sync: FakeSync(), remote: remote) { $0.keys = .init(masterKey: "master") }
        let theirs = ["X-Parse-Master-Key": "theirs"]
        for line in [
            "GET /schemas", "GET /schemas/Day", "POST /schemas", "PUT /schemas/Day", "DELETE /schemas/Day",
            "DELETE /purge/Day",
        ] {
            expect(await gateway.send(line, theirs), 200, #"{"results":[]}"#)
        }
        #expect(
            remote.calls.map { "\($0.method.rawValue) \($0.target)" } == [
                "GET /schemas", "GET /schemas/Day", "POST /schemas", "PUT /schemas/Day", "DELETE /schemas/Day",
                "DELETE /purge/Day",
            ])
        #expect(remote.calls.allSatisfy { $0.masterKey == "theirs" && !$0.isOwnMasterKey })
        let offline = FakeRemote(.failure(.remoteUnreachable(reason: "It is away.")))
        expect(
            await Gateway.make(sync: FakeSync(), remote: offline).send("GET /schemas", theirs), 503,
            #"{"code":100,"error":"It is away."}"#)
    }
}
