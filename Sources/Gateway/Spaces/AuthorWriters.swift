import GatewayAPI
import ParseModel
import RemoteService
import StoreService
import SyncModel
import Synchronization

/// Gives a site replica one connection to the remote for each author (the user who has made a change). The changes of
/// an author are sent under the author's session.
final class AuthorWriters: AuthorRemotes {
    private struct Writer {
        let sessions: UserSessions?
        let remote: any RemoteService
    }

    private let book: SessionBook
    /// The connection to the remote with the master key.
    private let reading: any RemoteService
    /// Makes a connection to the remote that sends under the given sessions, without the master key. The argument is
    /// nil for changes of clients without a session.
    private let make: @Sendable (UserSessions?) throws -> any RemoteService
    private let writers = Mutex<[SyncAuthor: Writer]>([:])

    init(
        _ book: SessionBook, reading: any RemoteService,
        make: @escaping @Sendable (UserSessions?) throws -> any RemoteService
    ) {
        self.book = book
        self.reading = reading
        self.make = make
    }

    func remote(of author: SyncAuthor) async -> (any RemoteService)? {
        guard let writer = writer(of: author) else { return nil }
        if let sessions = writer.sessions, await sessions.token() == nil {
            guard book.settings.sendsAsMaster, mayBeSent(changesOf: sessions.userId) else { return nil }
            return AuthorRemote(reading: reading, writing: reading) { [audit = book.audit] in
                audit.note(.sentAsMaster(userId: sessions.userId))
            } refusal: { [people = book.people] operation in
                // The master key skips the remote's check of the author's rights, so they are checked here.
                do {
                    return try people.refusal(of: operation.request, by: sessions.userId)
                        .map { .refused(code: $0.code.rawValue, message: $0.message) }
                } catch {
                    return .retry(after: nil, reason: "the rights of the author cannot be read: \(error)")
                }
            }
        }
        return AuthorRemote(reading: reading, writing: writer.remote)
    }

    /// Whether the changes of a user may be sent with the master key. They wait if the remote has locked the user out or
    /// removed the user, and are sent if the user has deleted the own account here.
    private func mayBeSent(changesOf userId: String) -> Bool {
        do {
            return try book.people.mayWork(userId) || book.people.isLeaving(userId)
        } catch {
            book.logger.error("whether the changes of a user may be sent cannot be read: \(error)")
            return false
        }
    }

    private func writer(of author: SyncAuthor) -> Writer? {
        if let known = writers.withLock({ $0[author] }) { return known }
        let sessions = author.userId.map { book.sessions(of: $0) }
        do {
            let made = Writer(sessions: sessions, remote: try make(sessions))
            return writers.withLock { writers in
                if let known = writers[author] { return known }
                writers[author] = made
                return made
            }
        } catch {
            book.logger.error("the changes of an author cannot be sent: \(error)")
            return nil
        }
    }

    /// Notes that a sync has ended without an error.
    func noteSyncEnd() async {
        let sessions = writers.withLock { $0.values.compactMap(\.sessions) }.sorted { $0.userId < $1.userId }
        for sessions in sessions { await sessions.noteSyncEnd() }
    }

    func close() {
        let all = writers.withLock { writers in
            defer { writers = [:] }
            return Array(writers.values)
        }
        for writer in all { writer.remote.close() }
    }
}

extension PushOperation {
    /// The write that the pushed operation makes on the remote.
    fileprivate var request: WriteRequest {
        switch kind {
        case .create, .undelete: .create(className: className, body: operations.json)
        case .update: .update(className: className, objectId: objectId, body: operations.json)
        case .delete: .delete(className: className, objectId: objectId)
        }
    }
}
