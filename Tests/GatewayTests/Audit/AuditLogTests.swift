import Foundation
import GatewayAPI
import HTTPServer
import Logging
import ParseModel
import Synchronization
import Testing

@testable import Gateway

/// Tests the files of the audit log: format, permissions, rotation and errors.
struct AuditLogTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.path + "/audit.log" }
    private let messages = Messages()

    init() throws { directory = try TemporaryDirectory() }

    /// A log that collects its messages.
    private final class Messages: Sendable {
        let lines = Mutex<[String]>([])
    }

    private struct Handler: LogHandler {
        let messages: Messages
        var logLevel = Logger.Level.info
        var metadata: Logger.Metadata = [:]
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { messages.lines.withLock { $0.append("\(event.message)") } }
    }

    private func log(bytesMax: Int = 1 << 20) -> AuditLog {
        AuditLog(
            directory: directory.path, bytesMax: bytesMax, now: { ParseDate(milliseconds: 1_800_000_000_000) },
            logger: Logger(label: "test") { [messages] _ in Handler(messages: messages) })
    }

    private func lines(_ path: String) throws -> [String] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    @Test func auditEventsAreLinesOfAPrivateFile() async throws {
        #expect(!FileManager.default.fileExists(atPath: path))
        let log = log()
        log.note(.signIn(userId: "ada", client: .loopback, isOffline: false))
        log.note(.sessionEnded(userId: "ada", reason: .loggedOut))
        await log.flush()
        let objects = try lines(path).map { try #require(try JSONReader.read($0).object) }
        #expect(objects.map { $0["event"]?.string } == ["signIn", "sessionEnded"])
        #expect(objects[0]["at"] == "2027-01-15T08:00:00.000Z")
        #expect(objects[0]["user"] == "ada" && objects[0]["client"]?.string == IPAddress.loopback.description)
        #expect(objects[1]["reason"] == "loggedOut")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func aFullAuditFileIsRotatedAndTheOldestIsDeleted() async throws {
        let log = log(bytesMax: 100)
        for number in 0..<8 {
            log.note(.logOutSent(userId: "user\(number)"))
            await log.flush()
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
        #expect(names == ["audit.log", "audit.log.1", "audit.log.2", "audit.log.3", "audit.log.4"])
        #expect(try lines(path).count == 1 && lines(path)[0].contains("user7"))
        #expect(try lines(path + ".4")[0].contains("user3"))
    }

    @Test func aLaterStartAppendsToTheSameAuditFile() async throws {
        for user in ["ada", "ben"] {
            let log = log()
            log.note(.logOutSent(userId: user))
            await log.flush()
        }
        #expect(try lines(path).count == 2)
    }

    /// A directory in the place of the audit file makes every write fail.
    @Test func failureAndRecoveryOfTheAuditLogAreLoggedOnce() async throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let log = log()
        for _ in 0..<3 {
            log.note(.logOutSent(userId: "ada"))
            await log.flush()
        }
        #expect(messages.lines.withLock { $0.count } == 1)
        try FileManager.default.removeItem(atPath: path)
        log.note(.logOutSent(userId: "ben"))
        await log.flush()
        #expect(try lines(path).count == 1)
        #expect(messages.lines.withLock { $0.count } == 2)
        #expect(messages.lines.withLock { $0[1] }.contains("3 events"))
    }
}
