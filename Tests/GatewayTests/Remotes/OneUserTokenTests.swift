import Foundation
import RemoteHTTP
import Synchronization
import Testing

@testable import Gateway

/// Tokens that name their user.
@Suite struct OneUserTokenTests {
    /// What the token's file holds, and the user of the data directory.
    private final class World: Sendable {
        private let state: Mutex<(text: String?, subject: String?, uptime: Duration)>

        init(_ text: String?, subject: String? = nil) { state = Mutex((text, subject, .zero)) }

        /// Changes the file. The next refusal lets the file be read again.
        func write(_ text: String?) {
            state.withLock {
                $0.text = text
                $0.uptime += .seconds(61)
            }
        }

        func source() -> OneUserToken {
            let reader = TokenReader(
                .file("token"), uptime: { self.state.withLock(\.uptime) }, read: { _ in self.state.withLock(\.text) })
            return OneUserToken(reader, logger: .quiet) { named in
                self.state.withLock {
                    $0.subject = $0.subject ?? named
                    return $0.subject
                }
            }
        }
    }

    /// A JSON Web Token of a user, without a signature.
    private static func token(_ user: String, _ mark: String) -> String {
        "\(mark).\(Data(#"{"sub":"\#(user)"}"#.utf8).base64EncodedString()).x"
    }

    private static let ada = token("ada", "a")
    private static let newAda = token("ada", "c")
    private static let bob = token("bob", "b")

    @Test func renewedTokenOfTheSameUserIsUsed() async {
        let world = World(Self.ada)
        let source = world.source()
        #expect(await source.token() == Self.ada)
        world.write(Self.newAda)
        #expect(await source.renewed(after: Self.ada) == Self.newAda)
        #expect(await source.token() == Self.newAda)
    }

    /// The file holds another user's token for some time. The right token is then used without a restart.
    @Test func remoteTokenOfAnotherUserIsNotSent() async {
        let world = World(Self.ada)
        let source = world.source()
        #expect(await source.token() == Self.ada)
        world.write(Self.bob)
        #expect(await source.renewed(after: Self.ada) == nil)
        #expect(await source.token() == nil)
        world.write(Self.newAda)
        #expect(await source.token() == Self.newAda)
    }

    /// The user of the data directory counts even if no token was readable at the start.
    @Test func tokenOfAUserOtherThanTheRecordedOneIsNotUsed() async {
        let world = World(Self.bob, subject: "ada")
        let source = world.source()
        #expect(await source.token() == nil)
        world.write(Self.ada)
        #expect(await source.token() == Self.ada)
    }

    /// The first token that names a user decides, also after a start without a token.
    @Test func firstUserNamedByATokenIsRecorded() async {
        let world = World(nil)
        let source = world.source()
        #expect(await source.token() == nil)
        world.write(Self.ada)
        #expect(await source.token() == Self.ada)
        world.write(Self.bob)
        #expect(await world.source().token() == nil)
    }

    @Test func remoteTokenThatNamesNoUserIsUsed() async {
        #expect(await World("plain-token", subject: "ada").source().token() == "plain-token")
    }
}
