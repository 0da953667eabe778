import Foundation
import HTTPClient
import HTTPTypes
import ParseModel
import Testing

/// The real program, run by `tidegate serve` in a process of its own.
final class Daemon: Sendable {
    let url: String
    private let process: Process
    private let transport: CurlTransport

    /// Starts `tidegate serve` and waits for the line that names its address.
    /// - Parameters:
    ///   - fileBytesMax: as for `Run`.
    ///   - caFile: the certificate authorities for the requests of the test; nil for those of the system.
    /// - Throws: `Failure` if the program ends before it listens.
    init(
        _ directory: TemporaryDirectory, port: Int = 0, _ arguments: [String] = [], fileBytesMax: Int? = nil,
        caFile: String? = nil
    ) async throws {
        transport = CurlTransport(configuration: .init(caBundle: caFile))
        let run = try Run(
            ["serve", "--data", directory.path, "--listen", "127.0.0.1:\(port)"] + arguments,
            fileBytesMax: fileBytesMax)
        var seen = ""
        for await line in run.output {
            seen += line + "\n"
            if let range = line.firstRange(of: /https?:\/\/127\.0\.0\.1:/) {
                url = String(line[range.lowerBound...].prefix { $0 != " " })
                process = run.process
                return
            }
        }
        run.process.waitUntilExit()
        throw Failure(output: seen, code: run.process.terminationStatus)
    }

    /// Starts a replica whose remote is another daemon. It does not listen to the remote, so that only the test and the interval start
    /// its syncs.
    static func replica(
        of hub: String, _ directory: TemporaryDirectory, port: Int = 0, _ arguments: [String] = [],
        fileBytesMax: Int? = nil
    ) async throws -> Daemon {
        try await Daemon(
            directory, port: port,
            ["--remote", hub, "--app-id", "demo", "--class", "Holiday", "--remote-livequery-url", "off"] + arguments,
            fileBytesMax: fileBytesMax)
    }

    deinit { kill() }

    struct Failure: Error {
        let output: String
        let code: Int32
    }

    var port: Int { Int(url.split(separator: ":").last ?? "") ?? 0 }

    var processId: Int32 { process.processIdentifier }

    /// Kills the process and does not wait.
    func kill() { signal(SIGKILL) }

    /// Sends a signal that the process must survive.
    func signal(_ signal: Int32) { if process.isRunning { _ = Foundation.kill(processId, signal) } }

    /// Ends the process and waits for its end.
    /// - Returns: the exit code, or the number of an unhandled signal.
    @discardableResult
    func end(_ signal: Int32) -> Int32 {
        self.signal(signal)
        process.waitUntilExit()
        return process.terminationStatus
    }

    struct Answer: Sendable {
        let status: Int
        let json: JSONValue
    }

    @discardableResult
    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil,
        contentType: String = "application/json", token: String? = nil, masterKey: String? = nil,
        maintenanceKey: String? = nil, headers more: HTTPFields = [:]
    ) async throws -> Answer {
        var headers: HTTPFields = [.contentType: contentType]
        headers.append(contentsOf: more)
        if let token, let name = HTTPField.Name("X-Parse-Session-Token") { headers[name] = token }
        if let masterKey, let name = HTTPField.Name("X-Parse-Master-Key") { headers[name] = masterKey }
        if let maintenanceKey, let name = HTTPField.Name("X-Parse-Maintenance-Key") { headers[name] = maintenanceKey }
        let request = HTTPClientRequest(
            method: method, url: url + path, headers: headers, body: body?.jsonBytes ?? [], isRepeatable: false)
        let response = try await transport.send(request)
        return Answer(status: response.status.code, json: try JSONReader.read(response.body))
    }

    /// The HTTP status of the answer to a GET. The body need not be JSON.
    func status(_ path: String, token: String? = nil) async throws -> Int {
        try await get(path, token: token).status.code
    }

    func get(_ path: String, token: String? = nil) async throws -> HTTPClientResponse {
        var headers: HTTPFields = [:]
        if let token, let name = HTTPField.Name("X-Parse-Session-Token") { headers[name] = token }
        let request = HTTPClientRequest(method: .get, url: url + path, headers: headers, isRepeatable: true)
        return try await transport.send(request)
    }

    /// All objects of the class Holiday, by id.
    func holidays() async throws -> [String: JSONValue] {
        let answer = try await send(.get, "/classes/Holiday?limit=1000")
        let results = answer.json.object?["results"]?.array ?? []
        return Dictionary(uniqueKeysWithValues: results.map { ($0.object?["objectId"]?.string ?? "", $0) })
    }

    func create(_ body: JSONValue) async throws -> String {
        let answer = try await send(.post, "/classes/Holiday", body)
        #expect(answer.status == 201)
        return try #require(answer.json.object?["objectId"]?.string)
    }

    /// Runs a sync and waits for its end.
    func sync() async throws -> Answer { try await send(.post, "/sync?wait=true", [:]) }
}

/// One run of the program, with the lines of its output.
struct Run: Sendable {
    let process: Process
    /// Standard output and standard error together.
    let output: AsyncStream<String>

    /// - Parameters:
    ///   - input: the standard input; nil for none.
    ///   - fileBytesMax: the file size limit of the process, a multiple of 512, until it is raised.
    ///   - linesMax: the number of output lines to read before closing the pipe.
    init(
        _ arguments: [String], environment: [String: String] = [:], input: String? = nil, fileBytesMax: Int? = nil,
        linesMax: Int = .max
    ) throws {
        process = Process()
        if let fileBytesMax {
            // A shell can set the limit on all systems. It then replaces itself with the program, which keeps the
            // process id.
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments =
                ["-c", "ulimit -S -f \(fileBytesMax / 512) && exec \"$0\" \"$@\"", try Self.program().path] + arguments
        } else {
            process.executableURL = try Self.program()
            process.arguments = arguments
        }
        process.environment = ["HOME": "/nonexistent", "PATH": "/usr/bin:/bin"].merging(environment) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        if let input {
            let source = Pipe()
            source.fileHandleForWriting.write(Data(input.utf8))
            try source.fileHandleForWriting.close()
            process.standardInput = source
        } else {
            process.standardInput = FileHandle.nullDevice
        }
        let (output, continuation) = AsyncStream<String>.makeStream()
        self.output = output
        try process.run()
        let reader = Thread {
            var rest = Data()
            var lines = 0
            while lines < linesMax {
                let chunk = pipe.fileHandleForReading.availableData
                if chunk.isEmpty { break }
                rest += chunk
                while let end = rest.firstIndex(of: 0x0A) {
                    continuation.yield(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
                    rest = Data(rest[(end + 1)...])
                    lines += 1
                }
            }
            if !rest.isEmpty { continuation.yield(String(decoding: rest, as: UTF8.self)) }
            try? pipe.fileHandleForReading.close()
            continuation.finish()
        }
        reader.start()
    }

    /// Runs the program and waits until it ends.
    /// - Returns: the complete output, and the exit code.
    static func ending(
        _ arguments: [String], environment: [String: String] = [:], input: String? = nil
    ) async throws -> (lines: [String], code: Int32) {
        let run = try Run(arguments, environment: environment, input: input)
        var lines: [String] = []
        for await line in run.output { lines.append(line) }
        run.process.waitUntilExit()
        return (lines, run.process.terminationStatus)
    }

    /// The path of the program: that of the environment variable `TIDEGATE`, otherwise the one in the directory of the
    /// test bundle.
    static func program() throws -> URL {
        if let named = ProcessInfo.processInfo.environment["TIDEGATE"] { return URL(filePath: named) }
        let here = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        let places =
            [here, Bundle.main.bundleURL, here.deletingLastPathComponent()]
            + Bundle.allBundles.map {
                $0.bundleURL.deletingLastPathComponent()
            }
        let found = places.map { $0.appending(path: "tidegate") }.first {
            FileManager.default.isExecutableFile(atPath: $0.path)
        }
        return try #require(found, "the program was not built beside the tests")
    }
}
