import HTTPServer
import ParseModel
import StoreService
import Synchronization

/// The event stream of `GET /changes` for one client. It sends the changes after the stream's position, the sync state,
/// and heartbeats.
///
/// A stream holds a few changes at a time. A stream that is up to date reads from `FeedWindow`, the latest changes in
/// memory. Any other stream reads from the store.
final class ChangeStream: HTTPBodyStream, FeedReader, @unchecked Sendable {
    // `@unchecked Sendable`: only `next` uses the variables outside of the mutex, and the server never makes two calls of `next`
    // at a time.
    private struct Signals {
        var isBeatDue = false
        var wake: @Sendable () -> Void = {}
    }

    private let feed: ChangeStreams
    private let classes: Set<String>?
    private var principal: Principal
    private let objects: ChangeText.Objects
    private let addressed: @Sendable ([UInt8]) throws -> [UInt8]
    let session: String?
    let mayContinue: @Sendable () -> Bool
    private let signals = Mutex(Signals())

    /// Every change up to this number was sent, is in `ready`, or belongs to a class that the client does not follow.
    private var position: Int64
    /// The last position that the client has received as an `id`; nil before the start of the stream.
    private var toldPosition: Int64?
    private var ready: ArraySlice<FeedEvent> = []
    private var syncVersion = 0
    private var hasKeptUp = false
    private var isOver = false

    /// The number of changes to read from the store at a time. The number doubles up to `pageMax`. After a page that exceeds
    /// `readyBytesMax`, the number shrinks.
    private var pageSize = 4
    private static let pageMax = 50
    /// The largest total size in bytes of the changes that `take` puts into `ready`. A single change may be larger.
    private static let readyBytesMax = 64 << 10

    /// - Parameters:
    ///   - session: the session token of the client; nil if it has no session that can end.
    ///   - mayContinue: whether the client may still read; otherwise the stream ends.
    ///   - addressed: inserts into an event the URLs at which the client can fetch files.
    init(
        feed: ChangeStreams, at position: Int64, classes: Set<String>?, principal: Principal,
        objects: ChangeText.Objects,
        session: String?, mayContinue: @escaping @Sendable () -> Bool,
        addressed: @escaping @Sendable ([UInt8]) throws -> [UInt8]
    ) {
        self.addressed = addressed
        (self.session, self.mayContinue) = (session, mayContinue)
        self.feed = feed
        self.position = position
        self.classes = classes
        self.principal = principal
        self.objects = objects
    }

    // MARK: HTTPBodyStream

    func next() -> HTTPBodyPiece {
        if isOver { return .end }
        guard mayContinue() else {
            isOver = true
            return .end
        }
        if toldPosition == nil {
            toldPosition = position
            return .bytes(ChangeText.opening(at: feed.positions.text(position)))
        }
        if ready.isEmpty {
            if let event = feed.syncEvent(after: syncVersion) {
                syncVersion = event.version
                return .bytes(event.bytes)
            }
            if takeBeat() { return .bytes(heartbeat()) }
            if let last = readNext() {
                isOver = true
                return last
            }
        }
        guard let event = ready.popFirst() else { return .wait }
        toldPosition = event.number
        do {
            return .bytes(try addressed(event.bytes(for: principal, objects)))
        } catch {
            isOver = true
            return last(for: error)
        }
    }

    func setWaker(_ wake: @escaping @Sendable () -> Void) { signals.withLock { $0.wake = wake } }

    func closed() { feed.closed(self) }

    // MARK: FeedReader

    func sessionEnded() { wake() }

    // MARK: The feed's part

    func wake() { signals.withLock { $0.wake }() }

    func beat() {
        signals.withLock { $0.isBeatDue = true }
        wake()
    }

    // MARK: Reading

    private func takeBeat() -> Bool {
        signals.withLock { signals in
            defer { signals.isBeatDue = false }
            return signals.isBeatDue
        }
    }

    private func heartbeat() -> [UInt8] {
        let hasMoved = toldPosition != position
        toldPosition = position
        return ChangeText.heartbeat(at: hasMoved ? feed.positions.text(position) : nil)
    }

    /// Reads the next changes into `ready`.
    /// - Returns: the last piece of the stream if the stream must end; nil otherwise.
    private func readNext() -> HTTPBodyPiece? {
        do {
            let isRestricted = feed.store.restrictsFeed(for: principal)
            if isRestricted {
                // The stream ends when its session has ended.
                guard let present = try feed.store.present(principal) else { return .end }
                principal = present
            }
            while ready.isEmpty {
                switch feed.read(after: position, classes) {
                case .events(let events, let newest):
                    hasKeptUp = true
                    // The events in memory were read with the master key. A restricted client may have to read its own
                    // page instead.
                    if isRestricted, !events.allSatisfy(\.isForAll) || !feed.keepsRights(after: position) {
                        guard try readPage() else { return nil }
                        continue
                    }
                    position = newest
                    ready = events[...]
                    return nil
                case .behind(let count):
                    if hasKeptUp, count > feed.readers.lagMax { return .end }
                    guard try readPage() else { return nil }
                }
            }
            return nil
        } catch {
            return last(for: error)
        }
    }

    /// Reads the next changes from the store, with the rights of the client.
    /// - Returns: false if there are none.
    private func readPage() throws -> Bool {
        let page = try feed.store.changes(since: position, classes: classes, limit: pageSize, as: principal)
        guard page.next > position else { return false }
        take(page)
        return true
    }

    /// Puts the first change of a page into `ready`, and further changes up to a total of `readyBytesMax`. The next read returns
    /// the rest of the page again.
    private func take(_ page: ChangePage) {
        var events: [FeedEvent] = []
        var byteCount = 0
        for entry in page.entries {
            let event = FeedEvent(
                entry, isRestricted: feed.store.restrictsFeed(for: principal), positions: feed.positions)
            byteCount += event.byteCount
            guard events.isEmpty || byteCount <= Self.readyBytesMax else { break }
            events.append(event)
        }
        let isWhole = events.count == page.entries.count
        position = isWhole ? page.next : events.last?.number ?? page.next
        pageSize = isWhole ? min(Self.pageMax, pageSize * 2) : max(1, events.count)
        ready = events[...]
    }

    private func last(for error: any Error) -> HTTPBodyPiece {
        if case StoreError.feedTrimmed = error {
            return .bytes(ChangeText.event("gone", ErrorAnswer(error).body))
        }
        feed.logger.error("a change stream has ended: \(error)")
        return .end
    }
}
