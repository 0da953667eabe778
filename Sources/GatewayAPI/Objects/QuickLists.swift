import ParseModel
import Synchronization

/// Chooses the thread on which a list query starts. Usually this is the server's thread that received the request,
/// which is fastest. While the list runs there, all other requests of the thread wait. For a second after a slow list,
/// most lists therefore start on a thread for blocking reads. So does a list with the class and parameters of a list
/// that was slow in its latest run on such a thread (`SlowShapes`).
final class QuickLists: Sendable {
    enum Start: Equatable {
        /// On the server's thread.
        case atOnce(within: Duration)
        /// On a thread for quick reads, with `timeout`.
        case onQuickThread
        /// On a thread for slow reads, if one is idle.
        case onSlowThread
    }

    private let slowShapes = SlowShapes()
    /// The uptime at which the last slow list was noted; nil if there was none recently.
    private let lastSlow = Mutex<Duration?>(nil)
    private let uptime: @Sendable () -> Duration
    private static let memory = Duration.seconds(1)

    /// The time for which a list may run on the server's thread, or on a thread for quick reads. A list that takes longer is
    /// stopped, and runs again on a thread for slow reads.
    static let timeout = Duration.milliseconds(40)
    /// Replaces `timeout` for a list of at most 10 objects without conditions (`takesOnlyTheFirst`). Such a list is slow only if
    /// SQLite must skip many locally deleted objects.
    private static let timeoutOfTheFirst = Duration.milliseconds(500)
    /// A list that takes longer than this on the server's thread counts as slow. Hundreds of such lists would delay other
    /// requests by seconds.
    private static let quickTimeMax = Duration.milliseconds(5)

    init(uptime: @escaping @Sendable () -> Duration) { self.uptime = uptime }

    /// - Parameters:
    ///   - className: the class of the list's path.
    ///   - parameters: the parameters of the list.
    ///   - timeMax: the time limit of a list on any thread.
    func start(of className: String, _ parameters: JSONObject, timeMax: Duration) -> Start {
        // The fields in use need all objects of the class.
        if parameters.flag("_fields") { return .onSlowThread }
        // A list of the first few objects gets more time than `timeout`. On a busy machine it could otherwise exceed `timeout`,
        // and would then wait behind slow lists.
        if Self.takesOnlyTheFirst(parameters) { return .atOnce(within: min(timeMax, Self.timeoutOfTheFirst)) }
        if slowShapes.contains(className, parameters) { return .onSlowThread }
        return hasNoSlowOne ? .atOnce(within: Self.timeout) : .onQuickThread
    }

    private var hasNoSlowOne: Bool {
        lastSlow.withLock { last in
            guard let time = last else { return true }
            if uptime() - time > Self.memory { last = nil }
            return last == nil
        }
    }

    /// Whether the list has a `limit` of at most 10, and every other parameter is `keys`, `excludeKeys` or begins with `_`.
    private static func takesOnlyTheFirst(_ parameters: JSONObject) -> Bool {
        parameters.allSatisfy { name, value in
            switch name {
            case "keys", "excludeKeys": true
            case "limit": (value.int ?? value.string.flatMap { Int($0) }).map((0...10).contains) ?? false
            default: name.hasPrefix("_")
            }
        } && parameters["limit"] != nil
    }

    /// Runs a list on the calling thread. If the list was slow, notes the uptime of its end in `lastSlow`.
    func watching<Value>(_ list: () throws -> Value) rethrows -> Value {
        let begin = uptime()
        let value = try list()
        if uptime() - begin > Self.quickTimeMax { noteSlowOne() }
        return value
    }

    /// Runs a list on a thread for blocking reads. Its time decides where the next list of this shape starts.
    func notingTime<Value>(
        of className: String, _ parameters: JSONObject, _ list: () throws -> Value
    ) rethrows -> Value {
        let begin = uptime()
        func isSlow() -> Bool { uptime() - begin > Self.timeout }
        do {
            let value = try list()
            slowShapes.note(className, parameters, isSlow: isSlow())
            return value
        } catch {
            // A list that failed at once may have been invalid, or its client may have disconnected.
            if isSlow() { slowShapes.note(className, parameters, isSlow: true) }
            throw error
        }
    }

    func noteSlowOne() {
        let now = uptime()
        lastSlow.withLock { $0 = now }
    }
}
