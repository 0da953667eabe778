import GatewayAPI
import LocalStore
import Logging
import ParseModel
import Passwords
import RemoteService
import StoreService
import StoreSupport
import Synchronization
import Testing

@testable import Gateway

/// Tests how `SessionBook` checks sessions at the remote and ends them, with a fake remote.
struct SessionBookTests {
    private let directory: TemporaryDirectory
    private let clock = TestClock()
    private let people: any PeopleStore
    private let logIns: OfflineLogIns
    private let remote = Remote()
    private let book: SessionBook

    private static let ada: JSONObject = ["objectId": "a1", "username": "ada"]
    private static let claim = LogInClaim(name: .either("ada"), password: "sesame")

    /// A fake remote that knows the sessions of one user. The test can act while it answers a question about a
    /// session, and while it ends one.
    private final class Remote: RemoteSessionService {
        let whileEnding = Mutex<@Sendable () async -> Void>({})
        /// The tokens about which the remote was asked.
        let asked = Mutex<[String]>([])
        let isReachable = Mutex(true)
        let refuses = Mutex<Set<String>>([])
        let whileAsked = Mutex<@Sendable () async -> Void>({})
        /// The tokens of the requests to end a session.
        let ended = Mutex<[String]>([])
        /// Yields an element for each question about a session.
        let questions = AsyncStream<Void>.makeStream()

        func session(of token: String) async throws(RemoteError) -> RemoteSession? {
            asked.withLock { $0.append(token) }
            questions.continuation.yield()
            await whileAsked.withLock { $0 }()
            guard isReachable.withLock({ $0 }) else { throw RemoteError.unreachable(reason: "no connection") }
            if refuses.withLock({ $0.contains(token) }) { return nil }
            return RemoteSession(user: SessionBookTests.ada, sessionId: nil, expiresAt: nil)
        }

        func endSession(of token: String) async {
            ended.withLock { $0.append(token) }
            await whileEnding.withLock { $0 }()
        }
    }

    /// A fake of the replica that owns the session book. It records the users whose sessions have ended.
    private final class Host: SessionHost {
        let ended = Mutex<[String]>([])
        /// Yields an element for each end of a session.
        let ends = AsyncStream<Void>.makeStream()

        func hasWaitingChanges(_ userId: String) -> Bool { false }
        func checkRoom(for name: LogInName) {}
        func checkRoom(of userId: String) {}
        func mayFinishLogOuts(of userId: String) -> Bool { true }
        func sessionHasBegun(of userId: String) {}
        func sessionHasEnded(of userId: String) {
            ended.withLock { $0.append(userId) }
            ends.continuation.yield()
        }
    }

    private struct NoAudit: AuditTrail {
        func note(_ event: AuditEvent) {}
    }

    init() async throws {
        directory = try TemporaryDirectory()
        let environment = clock.environment
        var configuration = StoreConfiguration(
            directory: directory.path + "/data",
            identity: StoreIdentity(remote: .init(url: "https://example.org/parse", applicationId: "app")))
        configuration.synchronous = .normal
        let store = try LocalStore(configuration, environment: environment)
        people = store.people
        let key = SpaceKey(file: directory.path + "/key", replicaId: store.replicaId)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        logIns = OfflineLogIns(
            people: store.people, key: key, hasher: PasswordHasher(strength: .weakest),
            clock: TrustedClock(nil, environment: environment), environment: environment, logger: logger)
        var settings = PeopleSettings()
        settings.afterLogOut = .keep
        book = SessionBook(
            settings, people: store.people, remote: remote, key: key, logIns: logIns, environment: environment,
            audit: NoAudit(), logger: logger)
        await book.noteOpened("r:1")
        await logIns.noteAccepted(Self.claim, user: Self.ada, at: nil, changeCount: logIns.changeCount(of: "a1"))
    }

    /// A sync's request under the session is refused because the remote is ending the session. This refusal says
    /// nothing about the password.
    @Test func sessionRefusedDuringItsLogOutKeepsThePasswordHash() async throws {
        remote.whileEnding.withLock { $0 = { [book] in await book.noteRefused("r:1") } }
        try await book.logOut("r:1")
        #expect(try people.session(SessionDigest(of: "r:1")) == nil)
        #expect(try await logIns.logIn(Self.claim)["username"] == "ada")
    }

    /// The first request of an unknown session and its log-out run at the same time.
    @Test func aLogOutDuringTheCheckOfAnUnknownSessionEndsTheSession() async throws {
        remote.whileAsked.withLock { $0 = { [book] in try? await book.logOut("r:2") } }
        await #expect(throws: ParseError.invalidSession) { _ = try await book.usableSession("r:2") }
        #expect(remote.ended.withLock { $0 } == ["r:2"])
        #expect(!book.isUsable("r:2"))
        remote.whileAsked.withLock { $0 = {} }
        await #expect(throws: ParseError.invalidSession) { _ = try await book.usableSession("r:2") }
    }

    /// The end of a sync also sends unsent log-outs. It must not send one that is already being sent.
    @Test func logOutRequestInFlightIsNotSentAgain() async throws {
        remote.whileEnding.withLock { $0 = { [book] in await book.finishLogOuts() } }
        try await book.logOut("r:1")
        #expect(remote.ended.withLock { $0 } == ["r:1"])
    }

    /// The replica must end the change streams of the session.
    @Test func replicaIsNotifiedAtTheEndOfASession() async throws {
        let host = Host()
        book.belong(to: host)
        await book.noteOpened("r:2")
        let own = try #require(try await logIns.logIn(Self.claim)["sessionToken"]?.string)
        for (count, token) in [(1, "r:1"), (2, own)] {
            try await book.logOut(token)
            #expect(host.ended.withLock { $0.count } == count)
        }
        // A refused session also ends the user's sessions that were opened here without the remote.
        _ = try await logIns.logIn(Self.claim)
        await book.noteRefused("r:2")
        #expect(host.ended.withLock { $0 } == ["a1", "a1", "a1", "a1"])
    }

    @Test func sessionRefusedByTheRemoteEndsOfflineLogIns() async throws {
        await book.noteRefused("r:1")
        await #expect(throws: ParseError.self) { _ = try await logIns.logIn(Self.claim) }
    }

    /// A refusal may mean that a new password has ended all sessions. The remote has been asked about one of them
    /// only.
    @Test func refusedSessionLetsTheUsersOtherSessionsBeCheckedOnce() async throws {
        let host = Host()
        book.belong(to: host)
        let refused = (2...9).map { "r:\($0)" }
        for token in refused + ["r:good"] { await book.noteOpened(token) }
        remote.asked.withLock { $0 = [] }
        remote.refuses.withLock { $0 = Set(refused + ["r:1"]) }
        await withTaskGroup { group in for _ in 1...4 { group.addTask { [book] in await book.noteRefused("r:1") } } }
        for await _ in host.ends.stream where host.ended.withLock({ $0.count }) == 9 { break }
        for await _ in remote.questions.stream where remote.asked.withLock({ $0.count }) == 9 { break }
        #expect(!refused.contains(where: book.isUsable))
        #expect(remote.asked.withLock { $0.sorted() } == (refused + ["r:good"]).sorted())
        #expect(book.isUsable("r:good"))
        #expect(host.ended.withLock { $0.count } == 9)
    }

    /// A session that was opened without the remote expires by the trusted clock, which cannot be set back.
    @Test func aClockThatIsSetBackRevivesNoLocallyOpenedSession() async throws {
        let token = try #require(try await logIns.logIn(Self.claim)["sessionToken"]?.string)
        let digest = SessionDigest(of: token)
        clock.advance(LogInVerifier.validity - .seconds(1))
        try book.look(at: #require(try people.session(digest)))
        #expect(book.isUsable(token) && book.userId(lookedAt: digest) == "a1")
        clock.turn(by: .seconds(-30 * 86_400))
        #expect(book.isUsable(token) && book.userId(lookedAt: digest) == "a1")
        clock.advance(.seconds(1))
        #expect(!book.isUsable(token) && book.userId(lookedAt: digest) == nil)
        await #expect(throws: ParseError.invalidSession) { _ = try await book.usableSession(token) }
    }

    /// The remote is asked about each used session, unless it has accepted the session during the sync.
    @Test func sessionAcceptedDuringASyncIsNotCheckedAgain() async throws {
        _ = try await book.usableSession("r:1")
        let session = try #require(try people.session(SessionDigest(of: "r:1")))
        remote.asked.withLock { $0 = [] }
        let sessions = book.sessions(of: "a1")
        for isAccepted in [true, false] {
            try book.look(at: session)
            #expect(await sessions.token() == "r:1")
            if isAccepted { sessions.noteAccepted("r:1") }
            await sessions.noteSyncEnd()
            #expect(remote.asked.withLock { $0 } == (isAccepted ? [] : ["r:1"]))
        }
    }

    @Test(arguments: [("r:1", "This session has expired here"), ("r:2", "This session is not known here")])
    func refusalOfAnUnknownSessionOfflineGivesTheReason(token: String, words: String) async throws {
        remote.isReachable.withLock { $0 = false }
        clock.advance(.seconds(8 * 86_400))
        await #expect {
            _ = try await book.usableSession(token)
        } throws: { error in
            guard case APIError.remoteUnreachable(let reason) = error else { return false }
            return reason.hasPrefix(words)
        }
    }

    /// A session stays unconfirmed, and is checked again, until the remote has answered.
    @Test func sessionCheckIsRepeatedUntilTheRemoteAnswers() async throws {
        try book.look(at: #require(try people.session(SessionDigest(of: "r:1"))))
        remote.asked.withLock { $0 = [] }
        remote.isReachable.withLock { $0 = false }
        await book.confirmUsed()
        #expect(book.usersOfUsedSessions == ["a1"])
        remote.isReachable.withLock { $0 = true }
        for _ in 0..<2 { await book.confirmUsed() }
        #expect(remote.asked.withLock { $0 } == ["r:1", "r:1"])
        #expect(book.usersOfUsedSessions.isEmpty)
    }
}
