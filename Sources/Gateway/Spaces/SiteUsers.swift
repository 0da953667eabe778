import GatewayAPI
import ParseModel
import RemoteService
import StoreService
import SyncEngine
import SyncModel
import Synchronization

/// Serves the users of a site replica. All share the gateway's own file. The gateway enforces their rights, and keeps
/// the author of each change. The changes of an author are sent under the author's sessions.
final class SiteUsers: ServedPeople, UsersOfSite, SessionHost {
    let book: SessionBook
    private let store: any GatewayStore
    private let writers: AuthorWriters
    /// The connection to the remote with the master key.
    private let remote: any RemoteService
    /// Sends the changes of all users.
    private let engine: SyncEngine
    private let sessionEnds = Observers()
    /// The time of each user's last request.
    private let requestedAt = Mutex<[String: ParseDate]>([:])

    init(
        _ book: SessionBook, store: any GatewayStore, writers: AuthorWriters, remote: any RemoteService,
        engine: SyncEngine
    ) {
        self.remote = remote
        self.book = book
        self.store = store
        self.writers = writers
        self.engine = engine
        book.belong(to: self)
    }

    // MARK: Requests

    func knownUser(of token: String) -> SignedInUser? {
        let digest = SessionDigest(of: token)
        guard let userId = book.userId(lookedAt: digest),
            let user = try? book.people.signedIn(userId, by: digest)
        else { return nil }
        noteUse(by: userId)
        return user
    }

    func user(of token: String) async throws -> SignedInUser {
        let session = try await book.usableSession(token)
        guard let user = try book.people.signedIn(session.userId, by: session.digest) else {
            try await end(session)
            throw ParseError.invalidSession
        }
        try await book.uses.note(session.userId)
        try book.look(at: session)
        noteUse(by: session.userId)
        return user
    }

    private func noteUse(by userId: String) {
        let now = book.environment.now()
        requestedAt.withLock { $0[userId] = now }
    }

    /// A site replica does not limit the number of users, because all share one file.
    func checkRoom(for name: LogInName) async throws {}
    func checkRoom(of userId: String) async throws {}

    // MARK: SessionHost

    func hasWaitingChanges(_ userId: String) async throws -> Bool { try work(of: userId).pending > 0 }

    func mayFinishLogOuts(of userId: String) -> Bool { true }

    func sessionHasBegun(of userId: String) async {
        await takeRow(of: userId)
        await engine.start()
    }

    /// Stores the object of a user who signs in, so that it can be read and changed before the next sync. If the remote
    /// does not answer now, a later pull stores the object.
    private func takeRow(of userId: String) async {
        do {
            // The session book has just read the user from the remote. Only an older stored row is replaced.
            guard try book.people.lacksRow(of: userId), let row = try await remote.object("_User", userId) else {
                return
            }
            try await book.people.take(row)
        } catch {
            book.logger.notice("the row of a user who signs in is left to the next sync: \(error)")
        }
    }

    func sessionHasEnded(of userId: String) { sessionEnds.notify() }

    func onSessionEnd(_ observer: @escaping @Sendable () -> Void) { sessionEnds.add(observer) }

    // MARK: Background work

    func tend() async {
        await book.begin()
        repeat {
            await book.tend()
            await forgetUnused()
        } while (try? await book.environment.sleep(.seconds(60))) != nil
    }

    /// Removes the sessions and the verifiers of users who have not used the gateway for `forgetAfter` and have no
    /// waiting changes.
    private func forgetUnused() async {
        guard let time = book.uses.unusedSince else { return }
        for userId in book.logged({ try book.uses.unused() }) {
            do {
                if try await book.people.forget(userId: userId, unusedSince: time) { noteRemoval(of: userId, .unused) }
            } catch {
                book.logger.error("what is known of the user \(userId) cannot be removed: \(error)")
            }
        }
    }

    private func noteRemoval(of userId: String, _ reason: AuditEvent.RemovalReason) {
        book.uses.forget(userId)
        book.endLook(at: userId)
        requestedAt.withLock { $0[userId] = nil }
        book.audit.note(.spaceRemoved(userId: userId, reason: reason))
    }

    func noteSyncEnd() async {
        await writers.noteSyncEnd()
        await endSessionsOfRemovedUsers()
        // The sync reads with the master key, so it does not show whether the sessions of users are valid. The sessions
        // with requests since the last sync are therefore checked.
        await book.confirmUsed()
        await book.finishLogOuts()
    }

    /// Ends an open session whose user may not work here. If the user has deleted or locked the own account, the session
    /// is still used to send the user's changes, including that one. Otherwise the changes wait.
    private func end(_ session: KnownSession) async throws {
        let isLeaving = try session.origin == .remote && book.people.isLeaving(session.userId)
        try await book.end(session.digest, isLeaving ? .leaving : .refused)
    }

    /// Ends the sessions of users whose object is gone or has an empty ACL.
    private func endSessionsOfRemovedUsers() async {
        let people = book.people
        do {
            for userId in try people.userIds() where try !people.mayWork(userId) {
                for session in try people.sessions(of: userId) where session.state == .open { try await end(session) }
                // After the lock of an account is lifted, the user must first log in at the remote, so the verifier is
                // removed even if no session is open.
                if try people.verifier(of: userId) != nil, try !people.isLeaving(userId) {
                    await book.offlineSignIn?.noteChange(of: userId)
                }
            }
            for session in try people.sessions(.leaving) where try !people.isLeaving(session.userId) {
                // A refused or withdrawn account deletion leaves the session open at the remote, so it is ended there.
                try await book.end(session.digest, people.mayWork(session.userId) ? .loggedOut : .refused)
            }
        } catch {
            book.logger.error("the sessions of a removed user cannot be ended: \(error)")
        }
    }

    func stop() async {
        writers.close()
        await book.stop()
    }

    // MARK: Overview

    var mode: String { PeopleSettings.Mode.site.rawValue }

    func work(of userId: String) throws -> UserWork {
        let work = try book.people.work(of: userId)
        return UserWork(
            pending: work.pending, rejections: work.rejections, conflicts: work.conflicts, removals: 0)
    }

    func users() async throws -> [UserStatus] {
        let uses = try book.people.lastUses().merging(requestedAt.withLock(\.self)) { max($0, $1) }
        var all: [UserStatus] = []
        for userId in try book.people.userIds() {
            let work = try work(of: userId)
            guard try !work.isNone || !book.people.sessions(of: userId).isEmpty else { continue }
            all.append(
                UserStatus(
                    standing: try await standing(of: userId, work), hasSpace: false, isOpen: true, work: work,
                    lastRequestAt: uses[userId]))
        }
        return all
    }

    func standing(of userId: String, _ work: UserWork) async throws -> UserStanding {
        try await book.standing(of: userId, hasChanges: work.pending > 0)
    }

    func counts() async throws -> (users: Int, waitingForLogIn: Int) {
        let users = try await users()
        let waiting = users.filter(\.standing.waitsForLogIn).reduce(0) { $0 + $1.work.pending }
        return (users.count, waiting)
    }

    func families() async throws -> [MetricFamily] {
        UserMetrics.families(try await users(), sessions: try book.people.sessionCounts())
    }

    // MARK: UserData

    func export(of user: String) async throws -> UserExport {
        let export = try await book.people.export(of: KnownUser(user, in: book.people))
        book.audit.note(.exported(userId: export.user.objectId, entries: export.entries.count))
        return export
    }

    /// Removes the sessions, the verifier and the unsent changes of a user. The objects stay, because all users share
    /// them.
    func forget(_ user: String, exported: String?) async throws -> KnownUser {
        let user = try KnownUser(user, in: book.people)
        try await book.people.forget(user, exported: exported)
        noteRemoval(of: user.objectId, .forgotten)
        return user
    }
}
