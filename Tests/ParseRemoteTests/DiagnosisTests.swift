import HTTPClient
import HTTPTypes
import ParseModel
import RemoteService
import Testing

@testable import ParseRemote

@Suite struct DiagnosisTests {
    /// A server with answers by route. The classes Holiday and Country have objects.
    private func server(
        health: HTTPClientResponse? = nil, probe: HTTPClientResponse? = nil, mode: String? = nil,
        find: HTTPClientResponse? = nil, wrongKey: HTTPClientResponse? = nil, sync: HTTPClientResponse? = nil
    ) -> ScriptedTransport {
        ScriptedTransport(answering: { request in
            var response: HTTPClientResponse
            let items = request.json?.object?["requests"]?.array ?? []
            switch request.path.dropFirst("http://127.0.0.1:1337/parse".count) {
            case "/health": response = health ?? .make(["status": "ok"])
            case "/sync": response = sync ?? .make(403, ["error": "unauthorized"])
            case "/schemas", "/schemas/_User":
                response =
                    request.headerTexts["x-parse-master-key"] == "master"
                    ? .make(["results": [["className": "_User"], ["className": "Holiday"]]])
                    : wrongKey ?? .make(403, ["error": "unauthorized: master key is required"])
            case "/batch":
                response = .make(
                    .array(
                        items.map { item in
                            let name = item.object?["path"]?.string?.split(separator: "/").last ?? ""
                            let rows: JSONValue = ["Holiday", "Country"].contains(name) ? [["objectId": "a"]] : []
                            return name == "Secret"
                                ? ["error": ["code": 119, "error": "no find"]] : ["success": ["results": rows]]
                        }))
            default:
                response =
                    request.method == .post
                    ? probe ?? .make(400, ["code": 105, "error": "objectId is an invalid field name."])
                    : find ?? .make(["results": []])
            }
            if let mode { response.headers[.tidegateMode] = mode }
            return .success(response)
        })
    }

    @Test func healthyServerIsDiagnosedCompletely() async throws {
        let transport = server()
        let diagnosis = await ParseRemote.make(transport)
            .diagnosis(classes: ["Birthday", "Secret", "Holiday", "Country"])
        #expect(diagnosis.health.text == "ok" && diagnosis.keys.text == "()")
        #expect(diagnosis.acceptsChosenIds.text == "false" && !diagnosis.remoteIsReplica)
        #expect(diagnosis.classes.text == #"["Holiday", "Country"]"#)
        let sent = await transport.sent
        #expect(sent[1].path.hasSuffix("/classes/Birthday") && sent[1].query == ["limit": "0"])
        let probe = try #require(sent.last)
        #expect(probe.method == .post && probe.path.hasSuffix("/classes/Holiday") && !probe.isRepeatable)
        #expect(probe.json?.object?.keys == ["objectId", "createdAt"])
        #expect(probe.json?.object?["createdAt"] == "not a date")
        #expect(probe.json?.object?["objectId"]?.string?.wholeMatch(of: /[A-Za-z0-9]{10}/) != nil)
    }

    @Test func aDiagnosisWithTheMasterKeyContainsAllClasses() async {
        let known = await ParseRemote.make(server(), masterKey: "master").diagnosis(classes: ["Holiday", "Birthday"])
        #expect(known.classes.text == #"["_User", "Holiday"]"#)
        let wrong = await ParseRemote.make(server(), masterKey: "guess").diagnosis(classes: ["Holiday", "Birthday"])
        #expect(wrong.keys.text == "unauthorized" && wrong.classes.text != "()")
        // Newer servers answer in this form.
        let denied = server(wrongKey: .make(403, ["code": 119, "error": "Permission denied"]))
        #expect(
            await ParseRemote.make(denied, masterKey: "guess").diagnosis(classes: ["Holiday"]).keys.text
                == "unauthorized")
    }

    @Test(arguments: [
        (HTTPClientResponse.make(400, ["code": 111, "error": "schema mismatch"]), "true"),
        (.make(400, ["code": 119, "error": "no create"]), "refused 119"),
        (.make(500, ["code": 1, "message": "Internal server error."]), "faulty 500"),
        (.make(201, ["objectId": "a", "createdAt": "2026-11-21T01:29:11.484Z"]), "faulty 200"),
    ])
    func theAnswerToTheProbeForChosenIdsIsClassified(answer: HTTPClientResponse, expected: String) async {
        let diagnosis = await ParseRemote.make(server(probe: answer)).diagnosis(classes: ["Holiday", "Birthday"])
        #expect(diagnosis.acceptsChosenIds.text == expected)
    }

    /// A Tidegate without a remote lists its classes to each client, but not the special ones, such as `_User`. The server here
    /// leaves out Country instead.
    @Test(arguments: [([], ["Holiday", "Person"]), (["Holiday", "Country"], ["Holiday", "Person", "Country"])])
    func diagnosisOfATidegateNamesAllItsClassesWithoutTheMasterKey(named: [String], listed: [String]) async {
        let sync = HTTPClientResponse.make(["classes": [["name": "Holiday"], ["name": "Person"], ["name": "_User"]]])
        let diagnosis = await ParseRemote.make(server(sync: sync)).diagnosis(classes: named)
        #expect(diagnosis.classes.text == "\(listed)" && diagnosis.listsAllClasses)
        #expect(diagnosis.acceptsChosenIds.text == "false")
    }

    @Test func chosenIdsAreNotProbedWithoutAClass() async {
        let transport = server()
        let diagnosis = await ParseRemote.make(transport).diagnosis(classes: [])
        #expect(diagnosis.acceptsChosenIds.text == "not asked" && diagnosis.classes.text == "not asked")
        #expect(await transport.sent.allSatisfy { $0.method == .get })
    }

    @Test func anUnreachableServerGetsOneRequestOnly() async {
        let transport = ScriptedTransport(answering: { _ in .failure(.notSent(reason: "refused")) })
        let diagnosis = await ParseRemote.make(transport).diagnosis(classes: ["Holiday"])
        #expect(diagnosis.health.text == "unreachable" && diagnosis.keys.text == "not asked")
        #expect(diagnosis.classes.text == "not asked" && diagnosis.acceptsChosenIds.text == "not asked")
        #expect(await transport.sent.count == 1)
    }

    @Test func missingHealthCheckDoesNotEndTheDiagnosis() async throws {
        let html = try Recording.named("unknown route").response
        let diagnosis = await ParseRemote.make(server(health: html)).diagnosis(classes: ["Holiday", "Birthday"])
        #expect(diagnosis.health.text == "misaddressed 404" && diagnosis.keys.text == "()")
    }

    @Test(arguments: [
        (HTTPClientResponse.make(403, ["error": "unauthorized"]), "unauthorized", "not asked"),
        (.make(400, ["code": 119, "error": "This user is not allowed to access this class"]), "()", "false"),
        (.make(500, ["code": 1]), "faulty 500", "not asked"),
    ])
    func theAnswerToTheCheckOfTheKeysIsClassified(
        answer: HTTPClientResponse, keys: String, acceptsChosenIds: String
    ) async {
        let diagnosis = await ParseRemote.make(server(find: answer)).diagnosis(classes: ["Holiday", "Birthday"])
        #expect(diagnosis.keys.text == keys && diagnosis.acceptsChosenIds.text == acceptsChosenIds)
    }

    @Test func aReplicaIsRecognisedByItsHealthCheck() async {
        let replica = await ParseRemote.make(server(mode: "replica")).diagnosis(classes: ["Holiday"])
        #expect(replica.remoteIsReplica && replica.keys.text == "not asked")
        let standalone = await ParseRemote.make(server(mode: "standalone")).diagnosis(classes: ["Holiday"])
        #expect(!standalone.remoteIsReplica && standalone.keys.text == "()")
    }

    @Test(arguments: [
        (HTTPClientResponse.make(["results": []]), true), (.make(403, ["error": "unauthorized"]), true),
        (.make(400, ["code": 119, "error": "no find"]), true), (.make(404, ["error": "no such row"]), false),
        (.make(500, ["error": "broken"]), false), (.make(401, ["error": "no token"]), false),
        (.make(403, ["error": "site stopped", "status": 403]), false),
    ])
    func serverIsRecognizedByItsAnswerToAQuery(answer: HTTPClientResponse, isParse: Bool) async throws {
        let recognized = try await ParseRemote.make(server(find: answer)).probe?.recognizesServer(classes: ["Holiday"])
        #expect(recognized == isParse)
    }

    /// A proxy may answer the health check itself or remove the header from its answer.
    @Test func aReplicaIsRecognisedByTheHeaderOfAnyAnswer() async {
        let find = HTTPClientResponse.make(["results": []], headers: [.tidegateMode: "replica"])
        #expect(await ParseRemote.make(server(find: find)).diagnosis(classes: ["Holiday"]).remoteIsReplica)
    }
}

extension ParseRemote {
    fileprivate func diagnosis(classes: [String]) async -> ParseDiagnosis {
        await ParseProbe(remote: self).diagnosis(of: classes)
    }
}

extension ParseDiagnosis.Finding {
    fileprivate var text: String {
        switch self {
        case .known(let value): "\(value)"
        case .failed(let error): error.word
        case .notAsked: "not asked"
        }
    }
}
