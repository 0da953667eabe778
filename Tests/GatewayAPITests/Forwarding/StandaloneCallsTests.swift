import GatewayAPI
import Testing

/// A standalone gateway lacks some features of Parse Server. It answers their calls like a Parse Server that has not
/// configured them.
@Suite struct StandaloneCallsTests {
    private let gateway = Gateway.make { $0.keys = .init(masterKey: "master") }
    private static let needsMaster = #"{"error":"unauthorized: master key is required"}"#

    @Test(arguments: [
        ("POST /functions/nope", 400, #"{"code":141,"error":"Invalid function: \"nope\""}"#),
        ("POST /events/AppOpened", 200, "{}"), ("POST /logout", 200, "{}"),
        ("POST /validate_purchase", 400, #"{"code":107,"error":"missing receipt or productIdentifier"}"#),
        ("POST /login", 400, #"{"code":119,"error":"Users are not supported yet."}"#),
        ("POST /users", 400, #"{"code":200,"error":"bad or missing username"}"#),
        ("GET /users/me", 400, #"{"code":209,"error":"Invalid session token"}"#),
        ("POST /upgradeToRevocableSession", 404, #"{"code":101,"error":"invalid session"}"#),
        ("POST /requestPasswordReset", 400, #"{"code":119,"error":"A standalone gateway does not send email."}"#),
    ])
    func standaloneGatewayAnswersPublicCallsOfFeaturesThatItLacks(_ line: String, _ status: Int, _ text: String) async {
        expect(await gateway.send(line), status, text)
    }

    @Test(arguments: [
        ("POST /jobs/clean", 400, #"{"code":141,"error":"Invalid job."}"#),
        ("GET /cloud_code/jobs", 200, "[]"), ("GET /cloud_code/jobs/data", 200, #"{"in_use":[],"jobs":[]}"#),
        ("POST /cloud_code/jobs", 400, #"{"code":141,"error":"Cannot Schedule a job that is not deployed"}"#),
        ("PUT /cloud_code/jobs/j", 404, #"{"code":101,"error":"Object not found."}"#),
        ("POST /push", 400, #"{"code":115,"error":"Missing push configuration"}"#),
        ("GET /hooks/functions", 200, "[]"), ("GET /hooks/triggers", 200, "[]"),
        ("GET /hooks/functions/f", 400, #"{"code":143,"error":"no function named: f is defined"}"#),
        ("GET /hooks/triggers/Holiday/beforeSave", 400, #"{"code":143,"error":"class Holiday does not exist"}"#),
        ("POST /hooks/functions", 400, #"{"code":143,"error":"A standalone gateway does not call hooks."}"#),
    ])
    func standaloneGatewayAnswersAdminCallsWithTheMasterKeyOnly(_ line: String, _ status: Int, _ text: String) async {
        expect(await gateway.send(line), 403, Self.needsMaster)
        expect(await gateway.send(line, ["X-Parse-Master-Key": "wrong"]), 403, Self.needsMaster)
        expect(await gateway.send(line, ["X-Parse-Master-Key": "master"]), status, text)
    }

    @Test func aSessionTokenIsInvalidInAGatewayWithoutUsersExceptAtALogIn() async {
        let session = ["X-Parse-Session-Token": "r:1"]
        expect(await gateway.send("POST /logout", session), 400, #"{"code":209,"error":"Invalid session token"}"#)
        expect(
            await gateway.send("POST /login", session), 400, #"{"code":119,"error":"Users are not supported yet."}"#)
    }
}
