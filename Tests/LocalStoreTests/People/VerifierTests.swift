import ParseModel
import StoreService
import Testing

@testable import LocalStore

/// Password hashes (verifiers) in the database, for log-ins while the remote cannot be reached.
@Suite("Password hashes for offline log-ins")
struct VerifierTests {
    private static let start = ParseDate(milliseconds: 4_000_000_000_000)
    private static let note = TrustedTime.Note(remote: start, here: start)

    private func people() async throws -> any PeopleStore {
        let people = try LocalStore.make(.replica).people
        try await people.save(session("r:1", .remote), user: ["objectId": "ada"])
        try await people.setVerifier("hash", of: "ada", provenAt: Self.start)
        return people
    }

    private func session(_ token: String, _ origin: KnownSession.Origin) -> KnownSession {
        KnownSession(
            digest: SessionDigest(of: token), userId: "ada", origin: origin, expiresAt: nil, confirmedAt: Self.start,
            changedAt: Self.start, sealed: [])
    }

    @Test func eachLogInAttemptCountsAsFailedUntilItSucceeds() async throws {
        let people = try await people()
        for count in 1...2 {
            #expect(try await people.beginAttempt(of: "ada", at: Self.note) == .allowed(hash: "hash"))
            #expect(try people.verifier(of: "ada")?.failures == count)
        }
        #expect(try await people.completeAttempt("hash", opening: session("r:here", .here)))
        #expect(try people.verifier(of: "ada") == LogInVerifier(hash: "hash", provenAt: Self.start))
        #expect(try people.session(SessionDigest(of: "r:here"))?.origin == .here)
        #expect(try await people.beginAttempt(of: "ben", at: Self.note) == .impossible)
        #expect(try await people.beginAttempt(of: nil, at: Self.note) == .impossible)
        #expect(try people.trustedTime() == Self.note)
    }

    /// The remote may refuse the password while it is compared.
    @Test func aRemovedPasswordHashOpensNoOfflineSession() async throws {
        let people = try await people()
        _ = try await people.beginAttempt(of: "ada", at: Self.note)
        try await people.removeVerifier(of: "ada", at: Self.start)
        #expect(try await !people.completeAttempt("hash", opening: session("r:here", .here)))
        try await people.setVerifier("new", of: "ada", provenAt: Self.start)
        #expect(try await !people.completeAttempt("hash", opening: session("r:here", .here)))
        #expect(try people.session(SessionDigest(of: "r:here")) == nil)
    }

    @Test func removingAPasswordHashEndsLocallyOpenedSessionsOnly() async throws {
        let people = try await people()
        #expect(try await people.completeAttempt("hash", opening: session("r:here", .here)))
        try await people.removeVerifier(of: "ada", at: Self.start)
        #expect(try people.verifier(of: "ada") == nil)
        #expect(try people.session(SessionDigest(of: "r:here"))?.state == .refused)
        #expect(try people.session(SessionDigest(of: "r:1"))?.state == .open)
    }

    @Test func allPasswordHashesCanBeRemovedTogether() async throws {
        let people = try await people()
        #expect(try await people.completeAttempt("hash", opening: session("r:here", .here)))
        try await people.removeVerifiers(at: Self.start)
        #expect(try people.verifier(of: "ada") == nil)
        #expect(try people.session(SessionDigest(of: "r:here"))?.state == .refused)
        #expect(try people.session(SessionDigest(of: "r:1"))?.state == .open)
    }

    @Test func theRecordedTimeOfTheRemoteNeverDecreases() async throws {
        let people = try await people()
        let note = TrustedTime.Note(remote: Self.start, here: Self.start + .seconds(5))
        try await people.setTrustedTime(note)
        try await people.setTrustedTime(TrustedTime.Note(remote: Self.start - .seconds(1), here: Self.start))
        #expect(try people.trustedTime() == note)
    }
}
