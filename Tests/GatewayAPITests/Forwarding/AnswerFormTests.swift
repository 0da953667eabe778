import GatewayAPI
import ParseModel
import RemoteService
import Testing

/// Checks that an answer of the remote has the members that a Parse Server sends for the forwarded route.
@Suite struct AnswerFormTests {
    private static let logIn = AnswerForm.texts("objectId", "sessionToken")
    private static let id = AnswerForm.texts("objectId")

    @Test(
        arguments: [
            ("POST /login", logIn), ("GET /login?username=a&password=b", logIn), ("POST /loginAs", logIn),
            ("POST /users", id), ("GET /users/u", id), ("GET /users", .results), ("PUT /users/u", .updated),
            ("DELETE /users/u", .object), ("POST /sessions", .object), ("POST /installations", .object),
            ("POST /roles", id), ("GET /users/me", id), ("GET /sessions/me", id), ("PUT /sessions/me", .updated),
            ("POST /logout", .object), ("POST /verifyPassword", id), ("POST /requestPasswordReset", .empty),
            ("POST /verificationEmailRequest", .empty), ("GET /config", .config),
            ("POST /upgradeToRevocableSession", .texts("sessionToken")), ("POST /functions/f", .function),
            ("POST /jobs/j", .object), ("POST /push", .result), ("PUT /config", .result),
            ("GET /hooks/functions", .list), ("GET /schemas", .results), ("GET /schemas/Holiday", .texts("className")),
            ("PUT /schemas/Holiday", .texts("className")), ("DELETE /purge/Holiday", .object),
            ("DELETE /schemas/Holiday", .object), ("GET /classes/_PushStatus", .results),
        ] as [(String, AnswerForm)])
    func everyForwardedRouteHasAnExpectedAnswerForm(_ line: String, _ form: AnswerForm) async throws {
        let remote = FakeRemote()
        let gateway = Gateway.make(sync: FakeSync(), remote: remote)
        _ = await gateway.send(line, body: line.hasPrefix("GET") ? "" : #"{"name":"a"}"#)
        #expect(remote.calls.first?.form == form)
    }

    @Test func remoteAnswerNeedsANonEmptyIdAndMayHaveNullMembers() {
        #expect(Self.id.fault(of: ["objectId": "a"]) == nil)
        for value: JSONValue in [["objectId": nil], ["objectId": ""], ["objectId": 1], [:], [], nil, "a"] {
            #expect(Self.id.fault(of: value) != nil)
        }
        #expect(AnswerForm.empty.fault(of: [:]) == nil)
        #expect(AnswerForm.empty.fault(of: ["status": "ok"]) != nil)
        #expect(AnswerForm.config.fault(of: ["params": [:]]) == nil)
        for value: JSONValue in [[:], ["status": "ok"]] { #expect(AnswerForm.config.fault(of: value) != nil) }
        #expect(AnswerForm.function.fault(of: ["result": nil]) == nil)
        #expect(AnswerForm.function.fault(of: ["code": 1, "error": [:]]) != nil)
        #expect(AnswerForm.object.fault(of: ["code": 1, "error": [:]]) != nil)
    }
}
