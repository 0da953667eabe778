import ParseModel
import StoreService
import Testing

@testable import LocalStore

@Suite("Known sessions of a replica")
struct LocalPeopleTests {
    /// Later than every clock of the tests, because refused sessions are removed after 30 days.
    private static let start: Int64 = 4_000_000_000_000
    private let digest = SessionDigest(of: "r:1")

    private func session(confirmedAt: Int64) -> KnownSession {
        let time = ParseDate(milliseconds: confirmedAt)
        return KnownSession(
            digest: digest, userId: "ada", expiresAt: nil, confirmedAt: time, changedAt: time, sealed: [1, 2])
    }

    /// The remote's answer about a session may arrive after its log-out.
    @Test(arguments: [KnownSession.State.loggedOut, .refused])
    func aSessionThatHasEndedStaysEnded(state: KnownSession.State) async throws {
        let people = try LocalStore.make(.replica).people
        try await people.save(session(confirmedAt: Self.start + 1000), user: ["objectId": "ada", "name": "Ada"])
        try await people.save(session(confirmedAt: Self.start + 2000), user: ["objectId": "ada", "name": "Ada"])
        #expect(try people.session(digest) == session(confirmedAt: Self.start + 1000).confirmed(at: Self.start + 2000))
        try await people.change(digest, to: state, at: ParseDate(milliseconds: Self.start + 3000))
        try await people.save(session(confirmedAt: Self.start + 4000), user: ["objectId": "ada", "name": "Ada L."])
        #expect(try people.session(digest)?.state == state)
        #expect(try people.session(digest)?.changedAt == ParseDate(milliseconds: Self.start + 3000))
        #expect(try people.user("ada")?["name"] == "Ada L.")
    }
}

extension KnownSession {
    fileprivate func confirmed(at milliseconds: Int64) -> KnownSession {
        var session = self
        session.confirmedAt = ParseDate(milliseconds: milliseconds)
        return session
    }
}
