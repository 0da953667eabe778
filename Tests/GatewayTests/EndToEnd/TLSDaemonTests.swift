import Foundation
import HTTPTypes
import ParseModel
import Testing

/// Tests gateways with TLS: the real program, and certificates that `openssl` makes for each test.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct TLSDaemonTests {
    private let hubDirectory: TemporaryDirectory
    private let replicaDirectory: TemporaryDirectory
    private let files: TemporaryDirectory
    private var certificate: String { files.path + "/certificate.pem" }
    private var key: String { files.path + "/key.pem" }
    private var settings: [String] {
        ["--tls-certificate", certificate, "--tls-key", key, "--access-key", "sesame"]
    }

    init() throws {
        hubDirectory = try TemporaryDirectory()
        replicaDirectory = try TemporaryDirectory()
        files = try TemporaryDirectory()
        try Self.makeCertificate(certificate, key)
    }

    /// Makes a self-signed certificate and its key.
    private static func makeCertificate(_ certificate: String, _ key: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=hub", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    private static func accessKey() throws -> HTTPFields {
        [try #require(HTTPField.Name("X-Tidegate-Access-Key")): "sesame"]
    }

    @Test func aReplicaSyncsWithAHubOfASelfSignedCertificate() async throws {
        let hub = try await Daemon(hubDirectory, settings, caFile: certificate)
        #expect(hub.url.hasPrefix("https://"))
        #expect(try await hub.send(.get, "/classes/Holiday").status == 403)
        let replica = try await Daemon.replica(
            of: hub.url, replicaDirectory, ["--remote-ca", certificate, "--rest-key", "sesame"])
        let id = try await replica.create(["name": "Picnic day"])
        #expect(try await replica.sync().status == 200)
        let answer = try await hub.send(.get, "/classes/Holiday", headers: try Self.accessKey())
        #expect(answer.json.object?["results"]?.array?.compactMap { $0.object?["name"] } == ["Picnic day"])
        #expect(!id.isEmpty)
        #expect(hub.end(SIGTERM) == 0)
    }

    @Test func aReplicaWithoutTheCertificateSendsNothing() async throws {
        let hub = try await Daemon(hubDirectory, settings, caFile: certificate)
        let replica = try await Daemon.replica(of: hub.url, replicaDirectory, ["--rest-key", "sesame"])
        _ = try await replica.create(["name": "Picnic day"])
        #expect(try await replica.sync().status == 503)
        let answer = try await hub.send(.get, "/classes/Holiday", headers: try Self.accessKey())
        #expect(answer.json.object?["results"]?.array?.isEmpty == true)
    }

    @Test func aConnectionOfThePageIsCheckedAndUsedWithTheCertificate() async throws {
        let hub = try await Daemon(hubDirectory, settings, caFile: certificate)
        let connection: JSONValue = [
            "remote": .string(hub.url), "appId": "demo", "restKey": "sesame", "classes": ["Holiday"],
        ]
        let other = try TemporaryDirectory()
        let distrusting = try await Daemon(other)
        #expect(try await distrusting.send(.post, "/setup/check", connection).json.object?["healthy"] == false)

        let gateway = try await Daemon(replicaDirectory, ["--remote-ca", certificate])
        let check = try await gateway.send(.post, "/setup/check", connection)
        #expect(check.json.object?["healthy"] == true, "\(check.json)")
        #expect(try await gateway.send(.post, "/setup/connect", connection).status == 200)
        // The gateway does not answer while it restarts.
        try await until { (try? await gateway.sync().status) == 200 }
        withExtendedLifetime((hub, other)) {}
    }

    @Test func fileAddressesAndOriginsOfAGatewayWithTLSAreHTTPS() async throws {
        let hub = try await Daemon(hubDirectory, settings, caFile: certificate)
        var headers = try Self.accessKey()
        headers[try #require(HTTPField.Name("Origin"))] = hub.url
        let answer = try await hub.send(.post, "/files/a.txt", "hello", contentType: "text/plain", headers: headers)
        #expect(answer.status == 201)
        #expect(answer.json.object?["url"]?.string?.hasPrefix(hub.url + "/") == true)
        headers[try #require(HTTPField.Name("Origin"))] = "http" + hub.url.dropFirst(5)
        #expect(try await hub.send(.get, "/classes/Holiday", headers: headers).status == 403)
    }

    @Test func aChangedCertificateIsUsedAndAFaultyOneIsNot() async throws {
        let run = try Run(
            ["serve", "--data", hubDirectory.path, "--listen", "127.0.0.1:0"] + settings, input: "")
        defer { run.process.terminate() }
        var output = run.output.makeAsyncIterator()
        func line(_ text: String) async throws {
            while let line = await output.next() { if line.contains(text) { return } }
            Issue.record("the program has not printed: \(text)")
        }
        func status() async throws -> Int32 { try await Run.ending(["status", "--data", hubDirectory.path]).code }
        try await line("https://")
        #expect(try await status() == 0)
        let addressFile = URL(filePath: hubDirectory.path + "/address")
        let address = try String(contentsOf: addressFile, encoding: .utf8)

        try Data("no certificate\n".utf8).write(to: URL(filePath: certificate))
        kill(run.process.processIdentifier, SIGHUP)
        try await line("the certificate stays as it is")
        #expect(try await status() == 0)

        try Self.makeCertificate(certificate, key)
        kill(run.process.processIdentifier, SIGHUP)
        try await line("uses the new certificate")
        #expect(try String(contentsOf: addressFile, encoding: .utf8) != address)
        #expect(try await status() == 0)

        // Another key than that of the gateway is not trusted.
        try Data(address.utf8).write(to: addressFile)
        #expect(try await status() == 3)
    }

    @Test func wrongSettingsForTLSAreRefusedAtTheStart() async throws {
        let other = files.path + "/other"
        try Self.makeCertificate(other + ".pem", other + "-key.pem")
        for (arguments, text) in [
            (["--tls-certificate", certificate, "--access-key", "k"], "--tls-certificate: needs the private key"),
            (["--tls-key", key, "--access-key", "k"], "--tls-key: needs the certificate"),
            (["--tls-certificate", certificate, "--tls-key", key], "needs an access key"),
            (["--tls-certificate", certificate, "--tls-key", "/nowhere", "--access-key", "k"], "cannot read /nowhere"),
            (
                ["--tls-certificate", certificate, "--tls-key", other + "-key.pem", "--access-key", "k"],
                "the key does not belong to the certificate"
            ),
            (
                ["--remote", "https://hub.example", "--app-id", "a", "--remote-ca", "/nowhere"],
                "--remote-ca: cannot read"
            ),
        ] {
            let (lines, code) = try await Run.ending(
                ["serve", "--data", hubDirectory.path, "--listen", "127.0.0.1:0"] + arguments)
            #expect(code == 1 && lines.joined(separator: "\n").contains(text), "\(lines)")
        }
    }
}
