import Passwords
import Testing

struct LogInLoadTests {
    /// Of hundreds of log-ins at a time, some wait and the rest are refused. Afterwards the gateway accepts log-ins
    /// again.
    @Test func concurrentLogInsBeyondTheQueueLimitAreRefused() async throws {
        let client = try AccountClient { $0.passwordStrength = .standard }
        _ = try await client.signUp("ada")
        let answers = try await withThrowingTaskGroup(of: AccountClient.Answer.self) { group in
            for _ in 0..<400 { group.addTask { try await client.logIn("ada", "no") } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let refused = answers.filter { $0.status == 429 }
        #expect(!refused.isEmpty && refused.count < 400)
        #expect(refused.allSatisfy { $0.code == 155 && $0.error == "Too many log-ins at a time: retry later." })
        #expect(answers.allSatisfy { [404, 429].contains($0.status) })
        #expect(try await client.logIn("ada").status == 200)
    }
}
