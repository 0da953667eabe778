import GatewayAPI
import ParseModel
import Testing

@Suite struct SystemRoutesTests {
    @Test func healthCheckIsAnsweredLikeParseServer() async {
        for path in ["/health", "/parse/health"] {
            let answer = await Gateway.make().send("GET \(path)")
            expect(answer, 200, #"{"status":"ok"}"#)
            #expect(answer.header("Content-Type") == "application/json; charset=utf-8")
        }
    }

    /// As on Parse Server, the health route accepts every method. The Swift SDK sends POST.
    @Test(arguments: ["POST", "PUT", "DELETE", "PATCH"]) func theHealthRouteAnswersEveryMethod(method: String) async {
        let gateway = Gateway.make {
            $0.accessKey = "key"
            $0.keys = .init(applicationId: "app")
        }
        for path in ["/health", "/parse/health", "/1/health/"] {
            expect(await gateway.send("\(method) \(path)", body: "{nonsense"), 200, #"{"status":"ok"}"#)
        }
        #expect(await gateway.send("\(method) /health", ["Host": "evil.example"]).status == 403)
        #expect(await gateway.send("\(method) /healthy").status != 200)
    }

    @Test func serverInfoNamesVersionModeAndRemote() async throws {
        let gateway = Gateway.make(sync: FakeSync()) {
            $0.remote = .init(url: "http://127.0.0.1:1337/parse", applicationId: "demo")
            $0.keys = .init(masterKey: "master")
        }
        expect(await gateway.send("GET /serverInfo"), 403, #"{"error":"unauthorized: master key is required"}"#)
        let info = try await gateway.send("GET /serverInfo", ["X-Parse-Master-Key": "master"]).json.object
        #expect(info?["parseServerVersion"] == "7.1.0")
        #expect(info?["features"]?.object?["schemas"]?.object?["addClass"] == true)
        #expect(info?["features"]?.object?["globalConfig"]?.object?["update"] == true)
        #expect(info?["features"]?.object?["hooks"]?.object?["create"] == true)
        #expect(
            info?["tidegate"]
                == [
                    "version": "0.1.0", "mode": "replica",
                    "remote": ["url": "http://127.0.0.1:1337/parse", "applicationId": "demo"],
                ])
    }

    /// Parse Dashboard lets users edit permissions only if `/serverInfo` names them as editable.
    @Test func serverInfoSaysThatPermissionsOfClassesCanBeEdited() async throws {
        for gateway in [
            Gateway.make { $0.keys = .init(masterKey: "master") },
            Gateway.make(sync: FakeSync()) { $0.keys = .init(masterKey: "master") },
        ] {
            let info = try await gateway.send("GET /serverInfo", ["X-Parse-Master-Key": "master"]).json.object
            let schemas = info?["features"]?.object?["schemas"]?.object
            #expect(schemas?["editClassLevelPermissions"] == true && schemas?["editPointerPermissions"] == true)
            #expect(schemas?["exportClass"] == false)
        }
    }

    @Test func serverInfoWithTheRemotesMasterKeyIsForwarded() async throws {
        let remote = FakeRemote(body: #"{"parseServerVersion":"8.0.0"}"#)
        let gateway = Gateway.make(sync: FakeSync(), remote: remote) { $0.keys = .init(masterKey: "master") }
        let theirs = ["X-Parse-Master-Key": "theirs"]
        expect(await gateway.send("GET /serverInfo", theirs), 200, #"{"parseServerVersion":"8.0.0"}"#)
        #expect(remote.calls.map(\.masterKey) == ["theirs"])
        #expect(await gateway.send("GET /serverInfo", ["X-Parse-Master-Key": "master"]).text.contains("tidegate"))
        #expect(await gateway.send("GET /serverInfo").status == 403)
        #expect(remote.calls.count == 1)
        let standalone = Gateway.make { $0.keys = .init(masterKey: "master") }
        #expect(await standalone.send("GET /serverInfo", theirs).status == 403)
    }

    @Test func theAPIDescriptionIsServedIfTheFileExists() async {
        let answer = await Gateway.make { $0.openAPIFile = Array("openapi: 3.1.0".utf8) }.send("GET /openapi.yaml")
        expect(answer, 200, "openapi: 3.1.0")
        #expect(answer.header("Content-Type") == "application/yaml")
        #expect(await Gateway.make().send("GET /openapi.yaml").status == 404)
    }

    @Test func aGatewayWithoutPageFilesAnswersTheRootWithItsVersion() async {
        let answer = await Gateway.make().send("GET /")
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "text/plain; charset=utf-8")
        #expect(answer.text.hasPrefix("Tidegate 0.1.0, standalone."))
    }
}
