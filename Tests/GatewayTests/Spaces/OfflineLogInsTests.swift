import GatewayAPI
import LocalStore
import Logging
import ParseModel
import Passwords
import StoreService
import StoreSupport
import Synchronization
import Testing

@testable import Gateway

/// Tests the rules for log-ins without the remote, with a test clock.
struct OfflineLogInsTests {
    private let directory: TemporaryDirectory
    private let clock = TestClock()
    private let store: LocalStore
    private let logIns: OfflineLogIns
    private let ended = Ended()
    private let ada: JSONObject = ["objectId": "a1", "username": "ada", "email": "ada@example.org"]

    private final class Ended: Sendable {
        let users = Mutex<[String]>([])
    }

    private var people: any PeopleStore { store.people }

    init() async throws {
        directory = try TemporaryDirectory()
        var configuration = StoreConfiguration(
            directory: directory.path + "/data",
            identity: StoreIdentity(remote: .init(url: "https://example.org/parse", applicationId: "app")))
        configuration.synchronous = .normal
        store = try LocalStore(configuration, environment: clock.environment)
        logIns = try Self.logIns(store, directory, clock, ended)
        for (token, user) in [("r:1", ada), ("r:2", ["objectId": "b1", "username": "ben"])] {
            let now = clock.environment.now()
            let session = KnownSession(
                digest: SessionDigest(of: token), userId: user["objectId"]?.string ?? "", expiresAt: nil,
                confirmedAt: now, changedAt: now, sealed: [])
            try await store.people.save(session, user: user)
        }
    }

    /// Makes another `OfflineLogIns` on the same store and key, as a restart of the gateway does.
    private static func logIns(
        _ store: LocalStore, _ directory: TemporaryDirectory, _ clock: TestClock, _ ended: Ended
    ) throws -> OfflineLogIns {
        let logIns = OfflineLogIns(
            people: store.people, key: SpaceKey(file: directory.path + "/key", replicaId: store.replicaId),
            hasher: PasswordHasher(strength: .weakest),
            clock: TrustedClock(try store.people.trustedTime(), environment: clock.environment),
            environment: clock.environment, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        logIns.onEnd { id, _ in ended.users.withLock { $0.append(id) } }
        return logIns
    }

    private func claim(_ name: String = "ada", _ password: String = "sesame") -> LogInClaim {
        LogInClaim(name: .either(name), password: password)
    }

    private func accept(_ password: String = "sesame") async {
        await logIns.noteAccepted(claim("ada", password), user: ada, at: nil, changeCount: logIns.changeCount(of: "a1"))
    }

    /// Tries a log-in. Returns the text of its refusal; nil if it succeeds.
    private func refusal(_ claim: LogInClaim, by logIns: OfflineLogIns? = nil) async throws -> String? {
        do {
            _ = try await (logIns ?? self.logIns).logIn(claim)
            return nil
        } catch let error as ParseError {
            #expect(error.code == .objectNotFound)
            return error.message
        }
    }

    @Test func aUserLogsInByNameOrEmailAddress() async throws {
        await accept()
        for name in [LogInName.either("ada"), .either("ada@example.org"), .email("ada@example.org")] {
            let user = try await logIns.logIn(LogInClaim(name: name, password: "sesame"))
            let token = try #require(user["sessionToken"]?.string)
            #expect(token.wholeMatch(of: /r:[0-9a-f]{32}/) != nil)
            #expect(user["objectId"] == "a1" && user["username"] == "ada")
            let session = try #require(try people.session(SessionDigest(of: token)))
            #expect(session.origin == .here && session.userId == "a1" && session.sealed.isEmpty)
            #expect(session.expiresAt == clock.environment.now() + LogInVerifier.validity)
        }
    }

    /// If the refusals differed, they would tell which user names are known here.
    @Test func everyRefusedOfflineLogInHasTheSameText() async throws {
        await accept()
        let words = try #require(try await refusal(claim("ada", "wrong")))
        #expect(try await refusal(claim("nobody")) == words)
        #expect(try await refusal(claim("ben")) == words)
        #expect(try await refusal(LogInClaim(name: nil, password: "sesame")) == words)
        clock.advance(LogInVerifier.validity)
        #expect(try await refusal(claim()) == words)
    }

    @Test func offlineLogInsEndAWeekAfterTheLastLogInAtTheRemote() async throws {
        await accept()
        clock.advance(LogInVerifier.validity - .seconds(1))
        #expect(try await refusal(claim()) == nil)
        // An offline log-in does not extend the week, which begins at the last log-in at the remote.
        clock.advance(.seconds(1))
        #expect(try await refusal(claim()) != nil)
        await accept()
        #expect(try await refusal(claim()) == nil)
    }

    /// The gateway is restarted after the clock was set back.
    @Test func aClockThatIsSetBackDoesNotExtendOfflineLogIns() async throws {
        await accept()
        clock.advance(LogInVerifier.validity - .seconds(1))
        #expect(try await refusal(claim()) == nil)
        clock.turn(by: .seconds(-30 * 86_400))
        let restarted = try Self.logIns(store, directory, clock, ended)
        #expect(try await refusal(claim(), by: restarted) == nil)
        clock.advance(.seconds(1))
        #expect(try await refusal(claim(), by: restarted) != nil)
    }

    @Test func failedOfflineLogInsAreCountedAcrossRestarts() async throws {
        await accept()
        for _ in 0..<LogInVerifier.failuresMax { #expect(try await refusal(claim("ada", "wrong")) != nil) }
        let restarted = try Self.logIns(store, directory, clock, ended)
        // The text for a locked user is the same as for an unknown name.
        let unknown = try #require(try await refusal(claim("nobody"), by: restarted))
        #expect(try await refusal(claim(), by: restarted) == unknown)
        clock.advance(LogInVerifier.lockMin - .seconds(1))
        #expect(try await refusal(claim(), by: restarted) == unknown)
        clock.advance(.seconds(1))
        #expect(try await refusal(claim(), by: restarted) == nil)
        // The successful log-in has reset the duration of the next lock-out.
        for _ in 0..<LogInVerifier.failuresMax { #expect(try await refusal(claim("ada", "wrong")) != nil) }
        #expect(try await refusal(claim()) == unknown)
        clock.advance(LogInVerifier.lockMin)
        #expect(try await refusal(claim()) == nil)
    }

    @Test func aRefusedPasswordRemovesTheStoredHashOfThatPasswordOnly() async throws {
        await accept()
        await logIns.noteRefused(claim("ada", "mistyped"))
        let user = try await logIns.logIn(claim())
        await logIns.noteRefused(claim("nobody"))
        #expect(try people.verifier(of: "a1") != nil)
        await logIns.noteRefused(claim())
        #expect(try people.verifier(of: "a1") == nil)
        #expect(try await refusal(claim()) != nil)
        // The session that was opened with the refused password ends, too.
        let digest = SessionDigest(of: user["sessionToken"]?.string ?? "")
        #expect(try people.session(digest)?.state == .refused)
        #expect(ended.users.withLock { $0 } == ["a1"])
    }

    /// A session can be refused while the answer to a log-in is processed.
    @Test func sessionRefusedDuringALogInStoresNoPasswordHash() async throws {
        let changeCount = logIns.changeCount(of: "a1")
        await logIns.noteChange(of: "a1")
        await logIns.noteAccepted(claim(), user: ada, at: nil, changeCount: changeCount)
        #expect(try people.verifier(of: "a1") == nil)
        await accept()
        #expect(try people.verifier(of: "a1") != nil)
    }

    /// The user has a second factor, which an offline log-in could not check.
    @Test func noPasswordHashIsStoredForAUserWithASecondFactor() async throws {
        await accept()
        var user = ada
        user["authData"] = ["anonymous": nil]
        await logIns.noteAccepted(claim(), user: user, at: nil, changeCount: logIns.changeCount(of: "a1"))
        #expect(try people.verifier(of: "a1") != nil)
        user["authData"] = ["mfa": ["status": "enabled"]]
        await logIns.noteAccepted(claim(), user: user, at: nil, changeCount: logIns.changeCount(of: "a1"))
        #expect(try people.verifier(of: "a1") == nil)
    }

    @Test func databaseContainsNoPasswordAndItsPasswordHashIsPeppered() async throws {
        await accept()
        let hash = try #require(try people.verifier(of: "a1")?.hash)
        #expect(hash.hasPrefix("$argon2id$"))
        #expect(try await !PasswordHasher(strength: .weakest).matches("sesame", hash))
        let other = OfflineLogIns(
            people: people, key: SpaceKey(file: directory.path + "/other", replicaId: store.replicaId),
            hasher: PasswordHasher(strength: .weakest),
            clock: TrustedClock(nil, environment: clock.environment), environment: clock.environment,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        #expect(try await refusal(claim(), by: other) != nil)
    }
}
