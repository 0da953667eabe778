import Foundation
import ParseModel
import Passwords
import Testing

/// Tests the user accounts of the real program under kills and under attacks on passwords.
@Suite("User accounts of a running gateway", .serialized)
struct AccountDaemonTests {
    private static func logIn(_ daemon: Daemon, _ name: String, _ password: String) async throws -> Daemon.Answer {
        try await daemon.send(.post, "/login", ["username": .string(name), "password": .string(password)])
    }

    private static func token(_ answer: Daemon.Answer) throws -> String {
        try #require(answer.json.object?["sessionToken"]?.string, "\(answer)")
    }

    /// Each round kills the program at another point of a password change. Afterwards, password and sessions must be
    /// both old or both new.
    @Test func killDuringAPasswordChangeLeavesPasswordAndSessionsConsistent() async throws {
        let directory = try TemporaryDirectory()
        var daemon = try await Daemon(directory)
        let signUp = try await daemon.send(.post, "/users", ["username": "ada", "password": "0"])
        let id = try #require(signUp.json.object?["objectId"]?.string)
        var (password, token) = ("0", try Self.token(signUp))
        for round in 1...12 {
            let other = try Self.token(try await Self.logIn(daemon, "ada", password))
            let (sent, current) = (daemon, token)
            let change = Task {
                try await sent.send(.put, "/users/\(id)", ["password": .string("\(round)")], token: current)
            }
            for _ in 0..<(round % 4) { _ = try? await daemon.send(.get, "/health") }
            #expect(daemon.end(SIGKILL) == SIGKILL)
            let answer = try? await change.value
            daemon = try await Daemon(directory)

            let isChanged = try await Self.logIn(daemon, "ada", "\(round)").status == 200
            #expect(isChanged || answer?.status != 200, "round \(round)")
            #expect(try await (Self.logIn(daemon, "ada", password).status == 200) != isChanged, "round \(round)")
            for old in [token, other] {
                let status = try await daemon.send(.get, "/users/me", token: old).status
                #expect((status == 200) != isChanged, "round \(round)")
            }
            if isChanged { password = "\(round)" }
            token = try Self.token(try await Self.logIn(daemon, "ada", password))
        }
    }

    #if os(Linux)
        @Test func tenThousandFailedLogInsOpenNoSessionAndDoNotGrowTheMemory() async throws {
            let directory = try TemporaryDirectory()
            let daemon = try await Daemon(directory, ["--local-maintenance-key", "imports"])
            // Checking a weak hash is fast. Log-ins with unknown names take the time of the standard hash.
            let weak = try await PasswordHasher(strength: .weakest).hash("the password")
            let signUp = try await daemon.send(
                .post, "/users", ["username": "ada", "_hashed_password": .string(weak)], maintenanceKey: "imports")
            #expect(signUp.status == 201, "\(signUp)")
            try await Self.attack(daemon, 0..<2000)
            let before = try Self.anonymousKiB(daemon.processId)
            try await Self.attack(daemon, 2000..<10_000)
            #expect(try Self.anonymousKiB(daemon.processId) - before < 4096)
            #expect(try await Self.logIn(daemon, "ada", "the password").status == 200)
        }

        /// Sends log-ins with wrong passwords and unknown names, and requests with guessed session tokens.
        private static func attack(_ daemon: Daemon, _ numbers: Range<Int>) async throws {
            try await withThrowingTaskGroup { group in
                for part in 0..<8 {
                    group.addTask {
                        for number in numbers where number % 8 == part {
                            let name = number % 40 == 0 ? "name \(number)" : "ada"
                            let answer = try await logIn(daemon, name, "guess \(number)")
                            #expect(answer.status == 404 && answer.json.object?["code"] == 101, "\(answer)")
                            let token = "r:\(String(repeating: "0", count: 24))\(10_000_000 + number)"
                            let me = try await daemon.send(.get, "/users/me", token: token)
                            #expect(me.status == 400, "\(me)")
                        }
                    }
                }
                try await group.waitForAll()
            }
        }

        /// The anonymous resident memory of a process, without mapped files.
        private static func anonymousKiB(_ processId: Int32) throws -> Int {
            let status = try String(contentsOfFile: "/proc/\(processId)/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
            return try #require(Int(line.filter(\.isNumber)))
        }
    #endif
}
