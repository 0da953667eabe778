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

    /// The remote's answer about a session may arrive after the user has logged out of it.
    @Test(arguments: [KnownSession.State.loggedOut, .refused])
    func aLateAnswerDoesNotReopenAnEndedSession(state: KnownSession.State) async throws {
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

    /// A remote may hide a user's own protected fields. Log-ins without the remote need the names.
    @Test func knownUserNamesForLogInsStayIfTheRemoteHidesThem() async throws {
        let people = try LocalStore.make(.replica).people
        let whole: JSONObject = ["objectId": "ada", "username": "ada", "email": "ada@example.org", "name": "Ada"]
        try await people.save(session(confirmedAt: Self.start), user: whole)
        try await people.confirm(
            digest, at: ParseDate(milliseconds: Self.start + 1), expiresAt: nil,
            user: ["objectId": "ada", "username": "ada2"])
        #expect(
            try people.user("ada") == ["objectId": "ada", "username": "ada2", "email": "ada@example.org"])
        try await people.save(session(confirmedAt: Self.start + 2), user: ["objectId": "ada"])
        #expect(try people.user("ada") == ["objectId": "ada", "username": "ada2", "email": "ada@example.org"])
    }

    @Test func anUnsentLogOutWithoutAKnownUserIsKeptUntilItIsRemoved() async throws {
        let people = try LocalStore.make(.replica).people
        let logOut = UnsentLogOut(
            digest: digest, userId: nil, since: ParseDate(milliseconds: Self.start), sealed: [1, 2, 3])
        try await people.add(logOut)
        try await people.add(logOut)
        #expect(try people.unsentLogOuts() == [logOut])
        #expect(try people.unsentLogOut(digest) == logOut)
        try await people.forget(digest)
        #expect(try people.unsentLogOuts().isEmpty)
        #expect(try people.unsentLogOut(digest) == nil)
    }

    /// The remote must still be told of the log-out of a forgotten user.
    @Test func forgettingAUserKeepsOnlyUnsentLogOuts() async throws {
        let people = try LocalStore.make(.replica).people
        try await people.save(session(confirmedAt: Self.start), user: ["objectId": "ada"])
        let other = KnownSession(
            digest: SessionDigest(of: "r:2"), userId: "ada", expiresAt: nil,
            confirmedAt: ParseDate(milliseconds: Self.start), changedAt: ParseDate(milliseconds: Self.start),
            sealed: [3])
        try await people.save(other, user: ["objectId": "ada"])
        try await people.setVerifier("hash", of: "ada", provenAt: ParseDate(milliseconds: Self.start))
        try await people.change(digest, to: .loggedOut, at: ParseDate(milliseconds: Self.start + 5))
        try await people.forget(userId: "ada")
        #expect(try people.userIds().isEmpty)
        #expect(try people.session(digest) == nil && people.session(other.digest) == nil)
        #expect(try people.verifier(of: "ada") == nil)
        #expect(
            try people.unsentLogOuts() == [
                UnsentLogOut(
                    digest: digest, userId: "ada", since: ParseDate(milliseconds: Self.start + 5), sealed: [1, 2])
            ])
    }

    @Test func theTimeOfAUsersLastUseNeverDecreases() async throws {
        let people = try LocalStore.make(.replica).people
        try await people.save(session(confirmedAt: Self.start), user: ["objectId": "ada"])
        #expect(try people.lastUses() == ["ada": ParseDate(milliseconds: Self.start)])
        try await people.noteUse(by: "ada", at: ParseDate(milliseconds: Self.start + 10))
        try await people.noteUse(by: "ada", at: ParseDate(milliseconds: Self.start - 10))
        #expect(try people.lastUses() == ["ada": ParseDate(milliseconds: Self.start + 10)])
    }

    @Test func thePeopleSettingOfAReplicaIsStored() async throws {
        let people = try LocalStore.make(.replica).people
        #expect(try people.mode() == nil)
        try await people.setMode("personal")
        #expect(try people.mode() == "personal")
    }
}

extension KnownSession {
    fileprivate func confirmed(at milliseconds: Int64) -> KnownSession {
        var session = self
        session.confirmedAt = ParseDate(milliseconds: milliseconds)
        return session
    }
}
