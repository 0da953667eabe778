import ParseModel
import Synchronization

/// Decides on which thread a list begins: the server's own, which is fastest, or a thread for blocking reads while lists are slow.
///
/// A slow list keeps its first thread for a moment, and all other requests of that thread wait.
final class QuickLists: Sendable {
    /// The time of the last list that took too long for the server's own thread; nil where none did lately.
    private let lastSlow = Mutex<Duration?>(nil)
    private let uptime: @Sendable () -> Duration
    private static let memory = Duration.seconds(1)

    /// How long a query may keep the server's own thread before it moves to another one.
    static let timeout = Duration.milliseconds(40)
    /// The same for a list of the first few objects. It takes long only where SQLite passes over many objects that are deleted here.
    private static let timeoutOfTheFirst = Duration.milliseconds(500)
    /// A list that takes longer ends, and lists after it begin on another thread: hundreds of them together would delay other
    /// requests by seconds.
    private static let quickTimeMax = Duration.milliseconds(5)

    init(uptime: @escaping @Sendable () -> Duration) { self.uptime = uptime }

    /// - Parameters:
    ///   - parameters: of the list.
    ///   - timeMax: how long a list may take.
    /// - Returns: how long the list may keep the server's own thread; nil where it begins on another one.
    func timeout(_ parameters: JSONObject, timeMax: Duration) -> Duration? {
        // On a busy machine such a list may take longer than the usual timeout, and would then wait behind slow ones.
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

    /// Whether the list asks for a few objects in the order of an index, without conditions.
    private static func takesOnlyTheFirst(_ parameters: JSONObject) -> Bool {
        parameters.allSatisfy { name, value in
            switch name {
            case "keys", "excludeKeys": true
            case "limit": (value.int ?? value.string.flatMap { Int($0) }).map((0...10).contains) ?? false
            default: name.hasPrefix("_")
            }
        } && parameters["limit"] != nil
    }

    /// Carries out a list on the server's own thread.
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
