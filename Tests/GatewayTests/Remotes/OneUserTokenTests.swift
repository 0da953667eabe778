import Foundation
import RemoteHTTP
import Synchronization
import Testing

@testable import Gateway

/// Tests tokens that name their user. A data directory accepts the tokens of one user only.
@Suite struct OneUserTokenTests {
    /// Fakes the token file, and the user that the data directory has recorded.
    private final class World: Sendable {
        private let state: Mutex<(text: String?, subject: String?, uptime: Duration)>

        init(_ text: String?, subject: String? = nil) { state = Mutex((text, subject, .zero)) }

        /// Changes the token file, and lets a minute pass so that the file may be read again.
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

    /// Makes a JSON Web Token of a user, without a valid signature.
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

    /// The token file holds another user's token for some time. When it holds a right token again, that one is used
    /// without a restart.
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

    /// The recorded user counts even if no token could be read at the start.
    @Test func tokenOfAUserOtherThanTheRecordedOneIsNotUsed() async {
        let world = World(Self.bob, subject: "ada")
        let source = world.source()
        #expect(await source.token() == nil)
        world.write(Self.ada)
        #expect(await source.token() == Self.ada)
    }

    /// The first token that names a user determines the user of the data directory, also after a start without a
    /// token.
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
