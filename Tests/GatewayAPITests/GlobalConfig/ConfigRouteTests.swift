import GatewayAPI
import StoreService
import Testing

@Suite struct ConfigRouteTests {
    private let gateway = Gateway.make { $0.keys = .init(masterKey: "master") }
    private let master = ["X-Parse-Master-Key": "master"]

    private func put(_ body: String) async -> Answer { await gateway.send("PUT /config", master, body: body) }

    @Test func aNewGatewayHasNoConfigParameters() async {
        expect(await gateway.send("GET /config"), 200, #"{"params":{}}"#)
    }

    @Test func configPutKeepsUnnamedParameters() async {
        expect(await put(#"{"params":{"welcome":"Hi","n":1}}"#), 200, #"{"result":true}"#)
        #expect(await put(#"{"params":{"n":{"__op":"Increment","amount":2},"none":null}}"#).status == 200)
        expect(
            await gateway.send("GET /parse/config"), 200,
            #"{"params":{"welcome":"Hi","n":3,"none":null},"masterKeyOnly":{"welcome":false,"n":false,"none":false}}"#)
        #expect(await put(#"{"params":{"welcome":{"__op":"Delete"}}}"#).status == 200)
        #expect(await put("{}").status == 200)
        expect(
            await gateway.send("GET /config"), 200,
            #"{"params":{"n":3,"none":null},"masterKeyOnly":{"n":false,"none":false}}"#)
    }

    @Test func masterKeyOnlyConfigParametersAreHiddenFromOtherClients() async {
        #expect(await put(#"{"params":{"a":1,"b":2},"masterKeyOnly":{"b":true}}"#).status == 200)
        expect(await gateway.send("GET /config"), 200, #"{"params":{"a":1},"masterKeyOnly":{"a":false}}"#)
        expect(
            await gateway.send("GET /config", master), 200,
            #"{"params":{"a":1,"b":2},"masterKeyOnly":{"a":false,"b":true}}"#)
        #expect(await put(#"{"params":{"b":3}}"#).status == 200)
        #expect(await gateway.send("GET /config").text.contains(#""b":3"#))
    }

    @Test func onlyTheMasterKeyChangesTheConfig() async {
        for headers in [[:], ["X-Parse-Master-Key": "wrong"]] {
            expect(
                await gateway.send("PUT /config", headers, body: #"{"params":{"a":1}}"#), 403,
                #"{"error":"unauthorized: master key is required"}"#)
        }
        #expect(await gateway.send("GET /config").text == #"{"params":{}}"#)
    }

    @Test func theMethodOverrideOfTheJavaScriptSDKReadsAndChangesTheConfig() async {
        let asked = #"{"_method":"PUT","_ApplicationId":"app","_MasterKey":"master","params":{"a":1}}"#
        #expect(await gateway.send("POST /config", body: asked).status == 200)
        let read = #"{"_method":"GET","_ApplicationId":"app"}"#
        #expect(await gateway.send("POST /config", body: read).text.contains(#""a":1"#))
    }

    @Test(arguments: [
        (#"{"params":{"a.b":1}}"#, 121), (#"{"params":{"$a":1}}"#, 121), (#"{"params":3}"#, 107),
        (#"{"params":{"a":{"__op":"Nonsense"}}}"#, 108), (#"{"params":{"a":1},"masterKeyOnly":[]}"#, 107),
        (
            #"{"params":{"r":{"__op":"AddRelation","objects":[{"__type":"Pointer","className":"C","objectId":"o"}]}}}"#,
            111
        ),
    ])
    func configValuesThatCannotBeStoredAreRefused(_ body: String, _ code: Int) async throws {
        let answer = await put(body)
        #expect(answer.status == 400)
        #expect(try answer.json.object?["code"]?.int == code)
        #expect(await gateway.send("GET /config").text == #"{"params":{}}"#)
    }

    @Test func configOperationOnAValueOfAnotherTypeIsRefused() async {
        #expect(await put(#"{"params":{"a":"text"}}"#).status == 200)
        #expect(await put(#"{"params":{"a":{"__op":"Increment","amount":1}}}"#).status == 400)
    }

    @Test func aReplicaForwardsConfigRequestsToItsRemote() async {
        let remote = FakeRemote(200, body: #"{"params":{"far":true}}"#)
        let gateway = Gateway.make(sync: FakeSync(), remote: remote) { $0.keys = .init(masterKey: "master") }
        expect(await gateway.send("GET /config"), 200, #"{"params":{"far":true}}"#)
        #expect(await gateway.send("PUT /config", ["X-Parse-Master-Key": "theirs"], body: "{}").status == 200)
        #expect(remote.calls.map(\.target) == ["/config", "/config"])
        #expect(remote.calls.map(\.method) == [.get, .put])
        #expect(remote.calls.last?.masterKey == "theirs")
        #expect(gateway.store.state.withLock { $0.config == nil })
    }
}
