import Foundation
import RemoteHTTP
import Synchronization
import Testing

@testable import Gateway

/// Tokens that name their user.
@Suite struct OneUserTokenTests {
    /// A source whose current token is set by the test. Each renewal gives the next one.
    private final class Source: TokenSource {
        private let tokens: Mutex<[String]>
        init(_ tokens: [String]) { self.tokens = Mutex(tokens) }
        func token() async -> String? { tokens.withLock(\.first) }

        func renewed(after refused: String?) async -> String? {
            tokens.withLock { tokens in
                if tokens.count > 1 { tokens.removeFirst() }
                return tokens.first == refused ? nil : tokens.first
            }
        }
    }

    /// A JSON Web Token of a user, without a signature.
    private static func token(_ user: String, _ mark: String) -> String {
        "\(mark).\(Data(#"{"sub":"\#(user)"}"#.utf8).base64EncodedString()).x"
    }

    @Test func renewedTokenOfTheUserIsUsed() async {
        let tokens = [Self.token("ada", "a"), Self.token("ada", "b")]
        let source = OneUserToken(Source(tokens), subject: nil, logger: .quiet)
        #expect(await source.token() == tokens[0])
        #expect(await source.renewed(after: tokens[0]) == tokens[1])
        #expect(await source.token() == tokens[1])
    }

    @Test func tokenOfAnotherUserIsNotSent() async {
        let tokens = [Self.token("ada", "a"), Self.token("bob", "b"), Self.token("ada", "c")]
        let source = OneUserToken(Source(tokens), subject: nil, logger: .quiet)
        #expect(await source.token() == tokens[0])
        #expect(await source.renewed(after: tokens[0]) == nil)
        #expect(await source.token() == tokens[0])
        #expect(await source.renewed(after: tokens[0]) == tokens[2])
        #expect(await source.token() == tokens[2])
    }

    /// The user of the file counts even if no token was readable at the start.
    @Test func userOfTheFileCounts() async {
        let source = OneUserToken(Source([Self.token("bob", "b")]), subject: "ada", logger: .quiet)
        #expect(await source.token() == nil)
    }

    @Test func tokenWithoutAUserIsUsed() async {
        let source = OneUserToken(Source(["plain-token"]), subject: "ada", logger: .quiet)
        #expect(await source.token() == "plain-token")
    }
}
