import Foundation
import GatewayAPI
import HTTPServer
import Testing

/// Tests the read-only master key, the maintenance key, and the client addresses from which these keys are accepted.
@Suite struct OwnersKeyTests {
    private static let keys = ClientKeys(masterKey: "master").with {
        $0.readOnlyMasterKey = "reader"
        $0.maintenanceKey = "keeper"
        $0.masterKeyNetworks = ["10.0.0.0/8", "fd00::1"].compactMap { IPNetwork($0) }
    }
    private let gateway = Gateway.make { $0.keys = Self.keys }
    private let reader = ["X-Parse-Master-Key": "reader"]
    private let keeper = ["X-Parse-Maintenance-Key": "keeper"]

    private func line(_ route: Route) -> String {
        let path = route.pattern.split(separator: "/").map { $0.hasPrefix("{") ? "x" : $0 }.joined(separator: "/")
        return "\(route.method.rawValue) /\(path)"
    }

    private func isRefused(_ answer: Answer) -> Bool { answer.text.contains("read-only masterKey isn't allowed to") }

    /// Every route other than GET must refuse the read-only master key, unless it is listed here.
    @Test func writesWithTheReadOnlyMasterKeyAreRefused() async {
        let others = ["batch", "callFunction", "trackEvent"]
        for route in gateway.api.table.routes where route.policy.access != .open && route.name != "uploadFile" {
            let writes = route.method != .get && !others.contains(route.name) || route.name == "logInByQuery"
            #expect(isRefused(await gateway.send(line(route), reader)) == writes, "\(route.name)")
        }
    }

    @Test(arguments: [
        (
            "POST /classes/Holiday", 400,
            #"{"code":119,"error":"read-only masterKey isn't allowed to perform the create operation."}"#
        ),
        (
            "PUT /classes/Holiday/a", 400,
            #"{"code":119,"error":"read-only masterKey isn't allowed to perform the update operation."}"#
        ),
        (
            "DELETE /users/a", 400,
            #"{"code":119,"error":"read-only masterKey isn't allowed to perform the delete operation."}"#
        ),
        ("POST /schemas", 400, #"{"code":119,"error":"read-only masterKey isn't allowed to create a schema."}"#),
        ("PUT /schemas/Holiday", 400, #"{"code":119,"error":"read-only masterKey isn't allowed to update a schema."}"#),
        (
            "DELETE /schemas/Holiday", 400,
            #"{"code":119,"error":"read-only masterKey isn't allowed to delete a schema."}"#
        ),
        ("DELETE /purge/Holiday", 400, #"{"code":119,"error":"read-only masterKey isn't allowed to purge a schema."}"#),
        ("PUT /config", 400, #"{"code":119,"error":"read-only masterKey isn't allowed to update the config."}"#),
        ("POST /push", 400, #"{"code":119,"error":"read-only masterKey isn't allowed to send push notifications."}"#),
        ("POST /loginAs", 400, #"{"code":119,"error":"read-only masterKey isn't allowed to login as another user."}"#),
        ("DELETE /files/a.txt", 403, #"{"error":"read-only masterKey isn't allowed to delete a file."}"#),
        (
            "POST /sync", 400,
            #"{"code":119,"error":"read-only masterKey isn't allowed to perform the startSync operation."}"#
        ),
    ])
    func refusalsOfTheReadOnlyMasterKeyHaveTheTextsOfParseServer(_ line: String, _ status: Int, _ text: String) async {
        expect(await gateway.send(line, reader, body: "{}"), status, text)
    }

    @Test func readOnlyMasterKeyReadsEverythingTheMasterKeyReads() async {
        for line in [
            "GET /schemas", "GET /serverInfo", "GET /installations", "GET /sessions", "GET /aggregate/Holiday",
        ] {
            let mine = await gateway.send(line, reader)
            #expect(mine.text == (await gateway.send(line, ["X-Parse-Master-Key": "master"])).text, "\(line)")
            #expect(mine.status == 200, "\(line)")
        }
        let search = #"{"_method":"GET","where":{}}"#
        #expect(await gateway.send("POST /installations", reader, body: search).status == 200)
    }

    @Test func eachWriteOfABatchWithTheReadOnlyMasterKeyIsRefused() async {
        let batch = """
            {"requests":[{"method":"POST","path":"/classes/Holiday","body":{}},{"method":"GET","path":"/classes/Holiday"}]}
            """
        expect(
            await gateway.send("POST /batch", reader, body: batch), 200,
            #"[{"error":{"code":119,"error":"read-only masterKey isn't allowed to perform the create operation."}},{"success":{"results":[]}}]"#
        )
        let transaction = batch.replacingOccurrences(of: "{\"requests\"", with: "{\"transaction\":true,\"requests\"")
        #expect(isRefused(await gateway.send("POST /batch", reader, body: transaction)))
    }

    @Test func maintenanceKeyIsRefusedOnMasterKeyRoutes() async {
        #expect(await gateway.send("POST /classes/Holiday", keeper, body: "{}").status == 201)
        expect(await gateway.send("GET /schemas", keeper), 403, #"{"error":"unauthorized: master key is required"}"#)
        #expect(await gateway.send("GET /schemas", ["X-Parse-Master-Key": "keeper"]).status == 403)
    }

    @Test func masterKeysNeedNoClientKey() async {
        let gateway = Gateway.make {
            $0.keys = Self.keys.with { $0.clients = [.rest: "rest"] }
            $0.accessKey = "access"
        }
        for headers in [reader, keeper, ["X-Parse-Master-Key": "master"]] {
            #expect(await gateway.send("GET /classes/Holiday", headers).status == 200)
        }
        #expect(await gateway.send("GET /classes/Holiday", ["X-Parse-Master-Key": "other"]).status == 403)
    }

    @Test func masterKeysAreAcceptedFromAllowedAddressesOnly() async throws {
        let elsewhere = #"{"error":"unauthorized"}"#
        let sent = [
            reader, keeper, ["X-Parse-Master-Key": "master"], ["X-Tidegate-Access-Key": "master"],
            ["Authorization": "Bearer master"],
        ]
        for headers in sent {
            for address in ["127.0.0.1", "127.0.0.9", "::1", "10.1.2.3", "fd00::1"] {
                let answer = await gateway.send("GET /classes/Holiday", headers, from: try #require(IPAddress(address)))
                #expect(answer.status == 200, "\(address)")
            }
            for address in ["192.168.0.7", "11.0.0.1", "fd00::2", "::"] {
                let peer = try #require(IPAddress(address))
                expect(await gateway.send("GET /classes/Holiday", headers, from: peer), 403, elsewhere)
                expect(await gateway.send("POST /files/a.txt", headers, body: "a", from: peer), 403, elsewhere)
            }
        }
        let peer = try #require(IPAddress("192.168.0.7"))
        #expect(await gateway.send("GET /classes/Holiday", from: peer).status == 200)
        #expect(await gateway.send("GET /classes/Holiday", ["X-Parse-Master-Key": "wrong"], from: peer).status == 200)
    }

    @Test func masterKeyFromARefusedAddressIsLoggedOncePerAddress() async throws {
        let log = LogLines()
        let gateway = Gateway.make(log: log) { $0.keys = Self.keys }
        for number in 0..<600 {
            let peer = try #require(IPAddress("192.168.\(number / 2 / 200).\(number / 2 % 200)"))
            _ = await gateway.send("GET /classes/Holiday", ["X-Parse-Master-Key": "master"], from: peer)
        }
        #expect(log.lines.count == 256)
        #expect(Set(log.lines).count == 256)
        #expect(log.lines.first?.contains("192.168.0.0") == true)
        #expect(log.lines.allSatisfy { $0.contains("TIDEGATE_LOCAL_MASTER_KEY_IPS") })
    }
}

extension ClientKeys {
    fileprivate func with(_ change: (inout ClientKeys) -> Void) -> ClientKeys {
        var keys = self
        change(&keys)
        return keys
    }
}
