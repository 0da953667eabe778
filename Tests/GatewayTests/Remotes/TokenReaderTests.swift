import Foundation
import ParseModel
import RemoteHTTP
import Synchronization
import Testing

@testable import Gateway

/// Tests reading the remote's token from a file or from the output of a command.
struct TokenReaderTests {
    /// A source that gives `a1`, `a2`, `a3` …, and counts its reads.
    private final class Texts: Sendable {
        private let count = Mutex(0)
        private let uptime = Mutex(Duration.seconds(1000))

        var reads: Int { count.withLock { $0 } }
        func advance(_ span: Duration) { uptime.withLock { $0 += span } }

        func reader() -> TokenReader {
            let read: @Sendable (TokenReader.Source) async -> String? = { _ in
                let number = self.count.withLock { count in
                    count += 1
                    return count
                }
                return "a\(number)"
            }
            return TokenReader(.command(""), uptime: { self.uptime.withLock { $0 } }, read: read)
        }
    }

    @Test func remoteTokenIsReadOnce() async {
        let texts = Texts()
        let reader = texts.reader()
        for _ in 0..<3 { #expect(await reader.token() == "a1") }
        #expect(texts.reads == 1)
    }

    @Test func refusedRemoteTokenIsReadAgainAtMostOnceAMinute() async {
        let texts = Texts()
        let reader = texts.reader()
        #expect(await reader.token() == "a1")
        #expect(await reader.renewed(after: "a1") == "a2")
        // A second request was refused with the same old token.
        #expect(await reader.renewed(after: "a1") == "a2")
        #expect(await reader.renewed(after: "a2") == nil)
        texts.advance(.seconds(61))
        #expect(await reader.renewed(after: "a2") == "a3")
        #expect(texts.reads == 3)
    }

    @Test func remoteTokenIsReadFromTheOutputOfACommand() async {
        #expect(await TokenReader(.command("printf 'a token'")).token() == nil)
        #expect(await TokenReader(.command("echo; echo ' secret '")).token() == "secret")
        #expect(await TokenReader(.command("echo secret; exit 1")).token() == nil)
        #expect(await TokenReader(.command("no-such-command 2>/dev/null")).token() == nil)
    }

    @Test func remoteTokenIsReadFromAFile() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/token"
        #expect(await TokenReader(.file(path)).token() == nil)
        try Data("secret\n".utf8).write(to: URL(fileURLWithPath: path))
        #expect(await TokenReader(.file(path)).token() == "secret")
    }
}

/// Tests which user a JSON Web Token names.
struct TokenSubjectTests {
    /// Makes a JSON Web Token with these claims, as base64url without padding.
    private func token(_ claims: String) -> String {
        let base64 = Data(claims.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        return "e30." + base64.replacing("=", with: "") + ".c2ln"
    }

    @Test(arguments: ["a", "ab", "abc", "sid:1f?>~", "日本"]) func userOfARemoteTokenIsReadFromItsSubjectClaim(
        _ name: String
    ) {
        #expect(TokenSubject.subject(of: token(#"{"sub":"\#(name)","iss":"x"}"#)) == name)
    }

    @Test func tokensWithoutASubjectClaimNameNoUser() {
        for text in [
            "", "secret", "a.b.c", "a.b", token("{}"), token(#"{"sub":5}"#), token("[]"), token(#"{"sub":""}"#),
        ] {
            #expect(TokenSubject.subject(of: text) == nil)
        }
    }
}
