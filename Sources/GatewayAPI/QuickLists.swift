import ParseModel
import Synchronization

/// Decides where lists are begun: on the server's own thread, which is fastest, or apart while some have proved slow.
///
/// Each slow list keeps the thread that it is begun on for a moment, and all other requests of that thread with it.
final class QuickLists: Sendable {
    /// When the last list took too long for the server's own thread; nil where none did lately.
    private let lastSlow = Mutex<Duration?>(nil)
    private let uptime: @Sendable () -> Duration
    private static let memory = Duration.seconds(1)

    /// How long the server's own thread may be kept by a query before it is carried out elsewhere.
    static let patience = Duration.milliseconds(40)

    init(uptime: @escaping @Sendable () -> Duration) { self.uptime = uptime }

    var mayBeginAtOnce: Bool {
        lastSlow.withLock { last in
            guard let time = last else { return true }
            if uptime() - time > Self.memory { last = nil }
            return last == nil
        }
    }

    func noteSlowOne() {
        let now = uptime()
        lastSlow.withLock { $0 = now }
    }
}
