import ParseModel
import Synchronization

/// Chooses the thread on which a list query starts: usually the server's own thread, which is fastest. For a second after a slow
/// list, most lists start on a thread for blocking reads.
///
/// While a list runs on a server's thread, all other requests of that thread wait.
final class QuickLists: Sendable {
    /// The uptime at which the last slow list was noted; nil if there was none recently.
    private let lastSlow = Mutex<Duration?>(nil)
    private let uptime: @Sendable () -> Duration
    private static let memory = Duration.seconds(1)

    /// The time for which a list may run on the server's thread, or on a thread for quick reads. A slower list is stopped, and
    /// runs again on a thread for slower reads.
    static let timeout = Duration.milliseconds(40)
    /// The time in place of `timeout` for a list of the first few objects. Such a list is slow only if SQLite must skip many
    /// locally deleted objects.
    private static let timeoutOfTheFirst = Duration.milliseconds(500)
    /// A list that takes longer counts as slow. Hundreds of slow lists on the server's threads would delay other requests by
    /// seconds. So for a second after a slow list, lists start on another thread. Lists of the first few objects are exempt.
    private static let quickTimeMax = Duration.milliseconds(5)

    init(uptime: @escaping @Sendable () -> Duration) { self.uptime = uptime }

    /// - Parameters:
    ///   - parameters: the parameters of the list.
    ///   - timeMax: the time limit of a list.
    /// - Returns: the time for which the list may block the server's thread; nil to start on another thread.
    func timeout(_ parameters: JSONObject, timeMax: Duration) -> Duration? {
        // A list of the first few objects gets a longer timeout. On a busy machine it could exceed the short one, and would
        // then wait behind slow lists.
        if Self.takesOnlyTheFirst(parameters) { return min(timeMax, Self.timeoutOfTheFirst) }
        return hasNoSlowOne ? Self.timeout : nil
    }

    private var hasNoSlowOne: Bool {
        lastSlow.withLock { last in
            guard let time = last else { return true }
            if uptime() - time > Self.memory { last = nil }
            return last == nil
        }
    }

    /// Whether the list has a limit of at most 10, and otherwise only `keys`, `excludeKeys` and parameters that begin with `_`.
    private static func takesOnlyTheFirst(_ parameters: JSONObject) -> Bool {
        parameters.allSatisfy { name, value in
            switch name {
            case "keys", "excludeKeys": true
            case "limit": (value.int ?? value.string.flatMap { Int($0) }).map((0...10).contains) ?? false
            default: name.hasPrefix("_")
            }
        } && parameters["limit"] != nil
    }

    /// Runs a list on the server's thread, and notes if it was slow.
    func watching<Value>(_ list: () throws -> Value) rethrows -> Value {
        let begin = uptime()
        let value = try list()
        if uptime() - begin > Self.quickTimeMax { noteSlowOne() }
        return value
    }

    func noteSlowOne() {
        let now = uptime()
        lastSlow.withLock { $0 = now }
    }
}
