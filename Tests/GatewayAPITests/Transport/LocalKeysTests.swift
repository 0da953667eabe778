import Foundation
import GatewayAPI
import Testing

/// Keys of the Parse clients of this gateway.
@Suite struct LocalKeysTests {
    private let unauthorized = #"{"error":"unauthorized"}"#
    private let app = ["X-Parse-Application-Id": "app"]

    private func gateway(accessKey: String? = nil, _ keys: GatewayAPI.Keys) -> Gateway {
        Gateway.make {
            $0.keys = keys
            $0.accessKey = accessKey
        }
    }

    @Test(arguments: [[:], ["X-Parse-Application-Id": "any", "X-Parse-REST-API-Key": "any"]])
    func anyKeyPassesUnlessOneIsSet(_ headers: [String: String]) async {
        let gateway = gateway(.init(masterKey: "master"))
        #expect(await gateway.send("GET /classes/Holiday", headers).status == 200)
        #expect(await gateway.send("GET /classes/Holiday", ["X-Parse-Master-Key": "wrong"]).status == 200)
    }

    @Test func applicationIdMustBeTheOneThatIsSet() async {
        let gateway = gateway(.init(applicationId: "app"))
        #expect(await gateway.send("GET /classes/Holiday", app).status == 200)
        for headers in [[:], ["X-Parse-Application-Id": "nope"], ["X-Parse-Application-Id": "APP"]] {
            let answer = await gateway.send("GET /classes/Holiday", headers)
            expect(answer, 403, unauthorized)
            #expect(answer.header("Content-Type") == nil)
        }
        let body = #"{"_method":"GET","_ApplicationId":"app"}"#
        #expect(await gateway.send("POST /classes/Holiday", body: body).status == 200)
        #expect(await gateway.send("GET /health", ["X-Parse-Application-Id": "nope"]).status == 200)
    }

    @Test func ownToolsNeedNotNameTheApplication() async {
        let gateway = gateway(.init(applicationId: "app"))
        #expect(await gateway.send("GET /sync").status == 200)
        #expect(await gateway.send("GET /classes/Holiday", ["X-Tidegate-Page": "1"]).status == 200)
        #expect(await gateway.send("GET /classes/Holiday", ["X-Tidegate-Access-Key": "x"]).status == 200)
        #expect(await gateway.send("GET /sync", ["X-Parse-Application-Id": "nope"]).status == 403)
    }

    @Test(arguments: [
        "X-Parse-REST-API-Key", "X-Parse-Javascript-Key", "X-Parse-Client-Key", "X-Parse-Windows-Key",
        "X-Tidegate-Access-Key",
    ])
    func theKeyThatIsSetPassesAsAnyClientKey(_ name: String) async {
        let gateway = gateway(.init(restKey: "rest", masterKey: "master"))
        for line in ["GET /classes/Holiday", "GET /sync", "GET /changes"] {
            #expect(await gateway.send(line, [name: "rest"]).status == 200)
            expect(await gateway.send(line, [name: "Rest"]), 403, unauthorized)
            expect(await gateway.send(line), 403, unauthorized)
        }
        #expect(await gateway.send("GET /classes/Holiday", ["X-Parse-Master-Key": "master"]).status == 200)
        #expect(await gateway.send("GET /health").status == 200)
    }

    @Test func keysOfABodyAndOfBasicAuthenticationCount() async {
        let gateway = gateway(.init(applicationId: "app", restKey: "rest", masterKey: "master"))
        func basic(_ text: String) -> [String: String] {
            ["Authorization": "Basic " + Data(text.utf8).base64EncodedString()]
        }
        let body = #"{"_method":"GET","_ApplicationId":"app","_JavaScriptKey":"rest"}"#
        #expect(await gateway.send("POST /classes/Holiday", body: body).status == 200)
        #expect(await gateway.send("GET /classes/Holiday", basic("app:javascript-key=rest")).status == 200)
        #expect(await gateway.send("GET /classes/Holiday", basic("app:master")).status == 200)
        #expect(await gateway.send("GET /classes/Holiday", basic("app:rest")).status == 403)
        #expect(await gateway.send("GET /classes/Holiday", basic("nope:master")).status == 403)
    }

    @Test func accessKeyOpensAllAndTheRESTKeyDoesNotReplaceIt() async {
        let gateway = gateway(accessKey: "access", .init(restKey: "rest", masterKey: "master"))
        #expect(await gateway.send("GET /classes/Holiday", ["X-Parse-REST-API-Key": "access"]).status == 200)
        #expect(await gateway.send("GET /classes/Holiday", ["X-Parse-REST-API-Key": "rest"]).status == 403)
        #expect(await gateway.send("GET /sync", ["X-Tidegate-Access-Key": "master"]).status == 200)
    }

    @Test func keysAreNotPrinted() {
        let configuration = GatewayAPI.Configuration(
            mode: .standalone, version: "1",
            keys: .init(applicationId: "app", restKey: "rest-secret", masterKey: "master-secret"))
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), dumped] {
            #expect(!text.contains("-secret"))
        }
    }
}
