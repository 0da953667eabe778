import RemoteService
import Synchronization

/// Opens the connections on which a remote reports changes: the change feed of another Tidegate gateway, otherwise the
/// LiveQuery of a Parse Server.
final class ParseChangeSignals: RemoteChangeSignals {
    private let feed: ParseChangeFeed
    private let liveQuery: ParseLiveQuery
    /// Whether to look for a change feed before the next connection.
    private let looksForFeed: Mutex<Bool>

    init(_ exchange: ParseExchange, _ access: LiveQueryAccess) {
        feed = ParseChangeFeed(exchange: exchange)
        liveQuery = ParseLiveQuery(configuration: exchange.configuration, access: access)
        // An address of its own for LiveQuery shows that the remote has one.
        looksForFeed = Mutex(liveQuery.isAtRemote)
    }

    func connect() async throws(RemoteSignalsError) -> any RemoteChangeListener {
        if looksForFeed.withLock({ $0 }), let listener = try await feedListener() { return listener }
        do {
            return try await liveQuery.connect()
        } catch {
            // The next server at the address may be a gateway.
            if case .notOffered = error { look(liveQuery.isAtRemote) }
            throw error
        }
    }

    private func look(_ looks: Bool) { looksForFeed.withLock { $0 = looks } }

    /// - Returns: nil if the server has no change feed.
    private func feedListener() async throws(RemoteSignalsError) -> (any RemoteChangeListener)? {
        let token = try await liveQuery.token()
        let position: String?
        do {
            position = try await feed.newestPosition()
        } catch {
            throw .failed(reason: "\(error)")
        }
        guard let position else {
            look(false)
            return nil
        }
        return ParseFeedListener(feed.exchange, from: position, token: token, liveQuery.access.environment) {
            [weak self] in
            self?.look(false)
        }
    }
}
