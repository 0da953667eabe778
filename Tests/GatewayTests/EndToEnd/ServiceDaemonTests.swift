import Foundation
import HTTPClient
import HTTPTypes
import ParseModel
import Testing

/// Tests what the daemon exchanges with a service manager: notifications, credentials, SIGHUP and the log.
@Suite("The daemon as a service", .serialized, .timeLimit(.minutes(5)))
struct ServiceDaemonTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Reads lines until one contains the text.
    /// - Returns: the line; nil if the output ends before.
    private func line(containing text: String, in output: inout AsyncStream<String>.Iterator) async -> String? {
        while let line = await output.next() {
            if line.contains(text) { return line }
        }
        return nil
    }

    private func serve(_ arguments: [String] = [], environment: [String: String] = [:]) throws -> Run {
        try Run(
            ["serve", "--data", directory.path, "--listen", "127.0.0.1:0"] + arguments, environment: environment,
            input: "")
    }

    #if os(Linux)
        @Test(arguments: ["/notify", "@tidegate-test-"])
        func readinessSignsOfLifeReloadsAndTheStopAreReportedToSystemd(name: String) async throws {
            let path = name.hasPrefix("@") ? name + UUID().uuidString : directory.path + name
            let socket = try NotifySocket(path)
            let run = try serve(environment: ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "200000"])
            defer { run.process.terminate() }
            #expect(try socket.message { $0 == "READY=1" } != nil)
            #expect(try socket.message { $0 == "WATCHDOG=1" } != nil)
            kill(run.process.processIdentifier, SIGHUP)
            #expect(try socket.message { $0.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") } != nil)
            #expect(try socket.message { $0 == "READY=1" } != nil)
            kill(run.process.processIdentifier, SIGTERM)
            #expect(try socket.message { $0 == "STOPPING=1" } != nil)
            run.process.waitUntilExit()
            #expect(run.process.terminationStatus == 0)
        }
    #endif

    @Test func keyIsReadFromACredentialOfSystemd() async throws {
        let credentials = try TemporaryDirectory()
        try Data("sesame\n".utf8).write(to: URL(filePath: credentials.path + "/tidegate-access-key"))
        let run = try serve(["--log-level", "error"], environment: ["CREDENTIALS_DIRECTORY": credentials.path])
        defer { run.process.terminate() }
        var output = run.output.makeAsyncIterator()
        let line = try #require(await line(containing: "http://", in: &output))
        let url = try #require(line.firstMatch(of: /http:\/\/[0-9.:]+/)).output
        var answers: [Int] = []
        for key in ["nothing", "sesame"] {
            var headers: HTTPFields = [:]
            headers[try #require(HTTPField.Name("X-Tidegate-Access-Key"))] = key
            let request = HTTPClientRequest(
                method: .get, url: "\(url)/classes/Holiday", headers: headers, isRepeatable: true)
            answers.append(try await CurlTransport().send(request).status.code)
        }
        #expect(answers == [403, 200])
    }

    @Test func emptyCredentialIsAnError() async throws {
        let credentials = try TemporaryDirectory()
        try Data().write(to: URL(filePath: credentials.path + "/tidegate-access-key"))
        let (lines, code) = try await Run.ending(
            ["serve", "--data", directory.path], environment: ["CREDENTIALS_DIRECTORY": credentials.path])
        #expect(code == 1 && lines.joined().contains("the credential tidegate-access-key"), "\(lines)")
    }

    @Test func reloadChangesTheLogLevelAndNamesTheSettingsThatNeedARestart() async throws {
        let file = directory.path + "-settings.yaml"
        defer { unlink(file) }
        try Data("log-level: error\n".utf8).write(to: URL(filePath: file))
        let run = try serve(["--config", file])
        defer { run.process.terminate() }
        var output = run.output.makeAsyncIterator()
        _ = await line(containing: "http://", in: &output)
        try Data("log-level: info\npage-max: 7\n".utf8).write(to: URL(filePath: file))
        kill(run.process.processIdentifier, SIGHUP)
        #expect(await line(containing: "read the settings again", in: &output) != nil)
        #expect(await line(containing: "only a restart applies: page-max", in: &output) != nil)
        try Data("log-level: loud\n".utf8).write(to: URL(filePath: file))
        kill(run.process.processIdentifier, SIGHUP)
        #expect(await line(containing: "the settings stay as they are", in: &output) != nil)
    }

    #if os(Linux)
        @Test func installNamesTheReasonForWhichTheServiceDoesNotStart() async throws {
            let tools = try TemporaryDirectory()
            let scripts = [
                "systemctl": #"case "$2" in restart) exit 1;; esac"#,
                "journalctl":
                    #"case "$*" in *_SYSTEMD_USER_UNIT=tidegate.service) echo info; echo Error: in use;; esac"#,
            ]
            for (name, text) in scripts {
                let path = tools.path + "/" + name
                try Data("#!/bin/sh\n\(text)\n".utf8).write(to: URL(filePath: path))
                try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
            }
            let environment = ["HOME": directory.path, "PATH": tools.path + ":/usr/bin:/bin"]
            let (lines, code) = try await Run.ending(["service", "install"], environment: environment)
            #expect(code == 1)
            #expect(
                lines == [
                    "Error: 'systemctl --user restart tidegate' failed, so the service does not run (Error: in use). "
                        + "The log: journalctl --user --unit tidegate"
                ])
        }
    #endif

    @Test func logInJSONHasAnObjectALine() async throws {
        let page = directory.path + "-page"
        try FileManager.default.createDirectory(atPath: page, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: page) }
        try Data().write(to: URL(filePath: page + "/index.html"))
        let run = try serve([
            "--log-format", "json", "--remote", "http://127.0.0.1:9/parse", "--app-id", "a", "--people", "personal",
            "--web", page,
        ])
        var output = run.output.makeAsyncIterator()
        let first = try #require(await line(containing: "http://", in: &output))
        #expect(try JSONReader.read(first).object?["message"]?.string?.contains("listens on http://127.0.0.1:") == true)
        // Only a replica whose page knows its users prints a link for its owner.
        let linked = try #require(await line(containing: "ownerLink", in: &output))
        #expect(try JSONReader.read(linked).object?["ownerLink"]?.string?.contains("/#owner=") == true)
        kill(run.process.processIdentifier, SIGTERM)
        let text = try #require(await line(containing: "stopping", in: &output))
        let object = try #require(try JSONReader.read(text).object)
        #expect(object["level"] == "info" && object["message"]?.string?.contains("stopping") == true)
        #expect(object["time"]?.string.flatMap { ParseDate(iso: $0) } != nil)
        run.process.waitUntilExit()
    }
}

#if os(Linux)
    /// The socket of a service manager.
    private final class NotifySocket {
        private let file: Int32

        /// - Parameter path: the path of the socket, or a name in the abstract namespace after `@`.
        init(_ path: String) throws {
            file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            var bytes = Array(path.utf8)
            if path.hasPrefix("@") { bytes[0] = 0 }
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
            let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
            let result = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(file, $0, length) }
            }
            try #require(result == 0)
            var limit = timeval(tv_sec: 60, tv_usec: 0)
            setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        }

        deinit { close(file) }

        /// The next message that meets the condition; nil if none arrives.
        func message(where isWanted: (String) -> Bool) throws -> String? {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = recv(file, &buffer, buffer.count, 0)
                guard count > 0 else { return nil }
                let text = String(decoding: buffer[..<count], as: UTF8.self)
                if isWanted(text) { return text }
            }
        }
    }
#endif
