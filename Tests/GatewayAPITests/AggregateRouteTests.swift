import GatewayAPI
import ParseModel
import Testing

@Suite struct AggregateRouteTests {
    private let key = ["X-Parse-Master-Key": "own"]

    private func gateway(sync: FakeSync? = nil, remote: FakeRemote? = nil) -> Gateway {
        Gateway.make(store: MemoryStore(ids: ["a", "b"]), sync: sync, remote: remote) { $0.keys.masterKey = "own" }
    }

    @Test(arguments: [
        ("GET /aggregate/Holiday?pipeline=%5B%7B%22$count%22:%22n%22%7D%5D", ""),
        ("GET /parse/aggregate/Holiday?$count=n", ""), ("GET /aggregate/Holiday?$count=%22n%22", ""),
        ("GET /aggregate/Holiday?pipeline=%7B%22$match%22:%7B%22n%22:1%7D,%22$count%22:%22n%22%7D", ""),
        ("POST /1/aggregate/Holiday", #"{"_method":"GET","pipeline":[{"$count":"n"}]}"#),
    ])
    func aggregationPipelineIsReadFromURLAndBody(line: String, body: String) async {
        expect(await gateway().send(line, key, body: body), 200, #"{"results":[{"n":2}]}"#)
    }

    @Test func distinctValuesAndQueryPlansAreReturnedInResults() async {
        for name in ["objectId", "%22objectId%22"] {
            let values = await gateway().send("GET /aggregate/Holiday?distinct=\(name)", key)
            expect(values, 200, #"{"results":["a","b"]}"#)
        }
        let plan = await gateway().send("GET /aggregate/Holiday?explain=true", key)
        expect(plan, 200, #"{"results":[{"sql":"SELECT 1","plan":["SCAN","  INNER"]}]}"#)
    }

    @Test func aggregatesNeedTheMasterKey() async {
        for sync in [nil, FakeSync()] {
            let answer = await gateway(sync: sync).send("GET /aggregate/Holiday")
            expect(answer, 403, #"{"error":"unauthorized: master key is required"}"#)
        }
    }

    @Test func invalidPipelinesAndTooLargeAnswersGetParseErrorCodes() async {
        let unknown = await gateway().send("GET /aggregate/Holiday?group=%7B%7D", key)
        expect(unknown, 400, #"{"code":102,"error":"Invalid aggregate stage 'group'."}"#)
        #expect(await gateway().send("GET /aggregate/_Product", key).status == 400)
        let small = Gateway.make(store: MemoryStore(ids: ["a", "b"])) {
            $0.keys.masterKey = "own"
            $0.limits.answerBytesMax = 40
        }
        let large = await small.send("GET /aggregate/Holiday", key)
        #expect(large.status == 400 && large.text.contains("116"))
    }

    @Test func replicaAggregatesCompletelySyncedClassLocally() async {
        let remote = FakeRemote(body: #"{"results":[]}"#)
        let answer = await gateway(sync: FakeSync(), remote: remote).send("GET /aggregate/Holiday?$count=n", key)
        expect(answer, 200, #"{"results":[{"n":2}]}"#)
        #expect(remote.calls.isEmpty)
    }

    @Test(arguments: [("Far", "own"), ("Holiday", "theirs")])
    func aggregateOfUnsyncedClassOrWithTheRemotesMasterKeyIsForwarded(
        className: String, key: String
    ) async throws {
        let remote = FakeRemote(body: #"{"results":[{"n":7}]}"#)
        let answer = await gateway(sync: FakeSync(), remote: remote)
            .send("GET /aggregate/\(className)?$count=n", ["X-Parse-Master-Key": key])
        expect(answer, 200, #"{"results":[{"n":7}]}"#)
        let call = try #require(remote.calls.first)
        #expect(call.target == "/aggregate/\(className)" && call.masterKey == key)
        #expect(try JSONReader.read(call.body) == ["$count": "n", "_method": "GET"])
    }

    @Test func aggregationStagesInURLAreForwardedAsJSON() async throws {
        let remote = FakeRemote(body: #"{"results":[]}"#)
        let query = "$match=%7B%22n%22:1%7D&$sort=%7B%22n%22:-1%7D&$count=%22n%22&explain=true"
        _ = await gateway(sync: FakeSync(), remote: remote).send("GET /aggregate/Far?\(query)", key)
        let call = try #require(remote.calls.first)
        #expect(
            try JSONReader.read(call.body)
                == ["$match": ["n": 1], "$sort": ["n": -1], "$count": "n", "explain": true, "_method": "GET"])
    }

    @Test func aggregateOfUnsyncedClassIsRefusedOffline() async {
        let remote = FakeRemote(.failure(.remoteUnreachable(reason: "no network")))
        let answer = await gateway(sync: FakeSync(), remote: remote).send("GET /aggregate/Far", key)
        expect(answer, 503, #"{"code":100,"error":"no network"}"#)
    }
}
