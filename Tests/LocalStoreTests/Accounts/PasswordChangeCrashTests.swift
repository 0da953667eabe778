import ParseModel
import StoreService
import StoreSupport
import Synchronization
import Testing

@testable import LocalStore

/// A crash during a change of a password leaves the old password with its sessions, or the new one with its session.
struct PasswordChangeCrashTests {
    private struct Crash: Error {}

    private static func change(_ hash: String, _ token: String, ends: Bool) -> AccountChange {
        var change = AccountChange()
        change.password = NewPassword(hash: hash)
        change.session = NewSession(token: token, fields: [:])
        change.endsSessions = ends
        return change
    }

    @Test(arguments: [true, false]) func aCrashDuringAPasswordChangeLeavesPasswordAndSessionsConsistent(
        beforeCommit: Bool
    ) async throws {
        let directory = try TemporaryDirectory()
        let crashes = Mutex(false)
        let crash: @Sendable () throws -> Void = { if crashes.withLock({ $0 }) { throw Crash() } }
        var store: LocalStore? = try LocalStore.make(.standalone, in: directory) {
            $0.watch = beforeCommit ? CommitWatch(willCommit: crash) : CommitWatch(didCommit: crash)
        }
        let create = WriteRequest.create(
            className: "_User", body: ["username": "ada"],
            terms: Self.terms(Self.change("old", "r:first", ends: false)))
        let userId = try #require(try await store?.perform([create], atomically: false)[0].get().objectId)
        _ = try await store?.accounts.open(NewSession(token: "r:second", fields: [:]), of: userId)

        crashes.withLock { $0 = true }
        let update = WriteRequest.update(
            className: "_User", objectId: userId, body: ["city": "x"],
            terms: Self.terms(Self.change("new", "r:third", ends: true)))
        let result = await store?.perform([update], atomically: false)[0]
        #expect(throws: (any Error).self) { try result?.get() }
        store = nil

        let reopened = try LocalStore.make(.standalone, in: directory)
        #expect(try reopened.accounts.account(userId)?.hash == (beforeCommit ? "old" : "new"))
        for (token, isOld) in [("r:first", true), ("r:second", true), ("r:third", false)] {
            #expect(try (reopened.accounts.session(of: token) != nil) == (isOld == beforeCommit), "\(token)")
        }
        let sessions = try reopened.find("_Session", ParseQuery()).objects.count
        let tokens = try await reopened.transactions.read { try $0.count("SELECT count(*) FROM session_tokens") }
        #expect(sessions == (beforeCommit ? 2 : 1) && tokens == sessions)
    }

    private static func terms(_ change: AccountChange) -> WriteTerms {
        var terms = WriteTerms()
        terms.account = change
        return terms
    }
}
