import Foundation
import GatewayAPI
import Testing

/// Tests the keys that clients of this gateway must send: application id, client keys and access key.
@Suite struct LocalKeysTests {
    private let unauthorized = #"{"error":"unauthorized"}"#
    private let app = ["X-Parse-Application-Id": "app"]

    private func gateway(accessKey: String? = nil, _ keys: ClientKeys) -> Gateway {
        Gateway.make {
            $0.keys = keys
            $0.accessKey = accessKey
        }
    }

    @Test(arguments: [[:], ["X-Parse-Application-Id": "any", "X-Parse-REST-API-Key": "any"]])
    func anyClientKeyIsAcceptedIfNoneIsConfigured(_ headers: [String: String]) async {
        let gateway = gateway(.init(masterKey: "master"))
        #expect(await gateway.send("GET /classes/Holiday", headers).status == 200)
        #expect(await gateway.send("GET /classes/Holiday", ["X-Parse-Master-Key": "wrong"]).status == 200)
    }

    @Test func applicationIdMustEqualTheConfiguredOne() async {
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

    @Test func gatewaysOwnRoutesAndPageNeedNoApplicationId() async {
        let gateway = gateway(.init(applicationId: "app"))
        #expect(await gateway.send("GET /sync").status == 200)
        #expect(await gateway.send("GET /classes/Holiday", ["X-Tidegate-Page": "1"]).status == 200)
        #expect(await gateway.send("GET /sync", ["X-Parse-Application-Id": "nope"]).status == 403)
    }

    /// For each setting, lists every accepted combination of credentials. All others must be refused.
    @Test func onlyTheListedCombinationsOfKeysAreAccepted() async {
        let sent: [(String, [String: String])] = [
            ("nothing", [:]), ("app", app), ("other app", ["X-Parse-Application-Id": "nope"]),
            ("page", ["X-Tidegate-Page": "1"]), ("garbage", ["X-Tidegate-Access-Key": "x"]),
            ("empty", ["X-Tidegate-Access-Key": ""]), ("bearer garbage", ["Authorization": "Bearer x"]),
            ("rest as client", ["X-Parse-REST-API-Key": "rest"]), ("app, rest", ["X-Parse-REST-API-Key": "rest"] + app),
            ("access", ["X-Tidegate-Access-Key": "access"]), ("access as client", ["X-Parse-Client-Key": "access"]),
            ("app, access as client", ["X-Parse-Client-Key": "access"] + app),
            ("own rest", ["X-Tidegate-Access-Key": "rest"]), ("own master", ["X-Tidegate-Access-Key": "master"]),
            ("master", ["X-Parse-Master-Key": "master"]), ("app, master", ["X-Parse-Master-Key": "master"] + app),
            ("app, other master", ["X-Parse-Master-Key": "nope"] + app),
            ("other app, own master", ["X-Tidegate-Access-Key": "master", "X-Parse-Application-Id": "nope"]),
        ]
        let expected: [(app: Bool, access: Bool, rest: Bool, passing: Set<String>)] = [
            (
                true, false, false,
                ["app", "page", "own master", "app, rest", "app, access as client", "app, master", "app, other master"]
            ),
            (
                false, true, false,
                ["access", "access as client", "app, access as client", "own master", "master", "app, master"]
            ),
            (false, false, true, ["rest as client", "app, rest", "own rest", "own master", "master", "app, master"]),
            (true, true, false, ["access", "app, access as client", "own master", "app, master"]),
            (true, false, true, ["app, rest", "own rest", "own master", "app, master"]),
            (true, true, true, ["access", "app, access as client", "own master", "app, master"]),
        ]
        for setting in expected {
            let gateway = gateway(
                accessKey: setting.access ? "access" : nil,
                .init(
                    applicationId: setting.app ? "app" : nil, clients: setting.rest ? [.rest: "rest"] : [:],
                    masterKey: "master")
            )
            var passing: Set<String> = []
            for (name, headers) in sent where await gateway.send("GET /classes/Holiday", headers).status == 200 {
                passing.insert(name)
            }
            // If no application id is configured, any is accepted.
            #expect(passing.subtracting(["other app, own master"]) == setting.passing, "\(setting)")
            #expect(passing.contains("other app, own master") == !setting.app)
        }
    }

    @Test(arguments: [
        "X-Parse-REST-API-Key", "X-Parse-Javascript-Key", "X-Parse-Client-Key", "X-Parse-Windows-Key",
        "X-Tidegate-Access-Key",
    ])
    func configuredRESTKeyAloneIsAcceptedFromEveryKindOfClient(_ name: String) async {
        let gateway = gateway(.init(clients: [.rest: "rest"], masterKey: "master"))
        for line in ["GET /classes/Holiday", "GET /sync", "GET /changes"] {
            #expect(await gateway.send(line, [name: "rest"]).status == 200)
            expect(await gateway.send(line, [name: "Rest"]), 403, unauthorized)
            expect(await gateway.send(line), 403, unauthorized)
        }
        #expect(await gateway.send("GET /classes/Holiday", ["X-Parse-Master-Key": "master"]).status == 200)
        #expect(await gateway.send("GET /health").status == 200)
    }

    /// As in Parse Server, a request needs the key of its kind if there is a key other than the REST key.
    @Test func eachKindOfClientNeedsItsOwnKey() async {
        let keys: [ClientKind: String] = [.javaScript: "js", .client: "app", .dotNET: "net", .rest: "rest"]
        let headers: [ClientKind: String] = [
            .rest: "X-Parse-REST-API-Key", .javaScript: "X-Parse-Javascript-Key", .client: "X-Parse-Client-Key",
            .dotNET: "X-Parse-Windows-Key",
        ]
        func body(_ key: String) -> String { #"{"_method":"GET","_ApplicationId":"app","_JavaScriptKey":"\#(key)"}"# }
        for configured in [keys, keys.filter { $0.key == .javaScript }, keys.filter { $0.key != .javaScript }] {
            let gateway = gateway(.init(clients: configured, masterKey: "master"))
            for (kind, header) in headers {
                for (other, key) in keys {
                    let isFine = kind == other && configured[kind] != nil
                    #expect(
                        await gateway.send("GET /classes/Holiday", [header: key]).status == (isFine ? 200 : 403),
                        "\(key) as \(header) with \(configured)")
                }
            }
            let isFine = configured[.javaScript] != nil
            #expect(await gateway.send("POST /classes/Holiday", body: body("js")).status == (isFine ? 200 : 403))
            #expect(await gateway.send("POST /classes/Holiday", body: body("rest")).status == 403)
            expect(await gateway.send("GET /classes/Holiday"), 403, unauthorized)
            #expect(await gateway.send("GET /classes/Holiday", ["X-Parse-Master-Key": "master"]).status == 200)
        }
    }

    @Test func keysInTheBodyAndInBasicAuthenticationAreAccepted() async {
        let gateway = gateway(.init(applicationId: "app", clients: [.rest: "rest"], masterKey: "master"))
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

    @Test func theAccessKeyOpensEveryRouteAndTheRESTKeyDoesNotReplaceIt() async {
        let gateway = gateway(accessKey: "access", .init(clients: [.rest: "rest"], masterKey: "master"))
        #expect(await gateway.send("GET /classes/Holiday", ["X-Parse-REST-API-Key": "access"]).status == 200)
        #expect(await gateway.send("GET /classes/Holiday", ["X-Parse-REST-API-Key": "rest"]).status == 403)
        #expect(await gateway.send("GET /sync", ["X-Tidegate-Access-Key": "master"]).status == 200)
    }

    @Test func printedConfigurationContainsNoKeys() {
        let configuration = APIConfiguration(
            mode: .standalone, version: "1",
            keys: .init(applicationId: "app", clients: [.rest: "rest-secret"], masterKey: "master-secret"))
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), dumped] {
            #expect(!text.contains("-secret"))
        }
    }
}

extension [String: String] {
    fileprivate static func + (one: Self, other: Self) -> Self { one.merging(other) { $1 } }
}
