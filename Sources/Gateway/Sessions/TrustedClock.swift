import ParseModel
import StoreService
import Synchronization

/// Keeps the time of the remote, for limits that must not move with the clock of this machine.
final class TrustedClock: Sendable {
    private let environment: Environment
    private let state: Mutex<(time: TrustedTime, savedAt: Duration)>

    /// The interval at which the time of the remote is stored.
    private static let saveInterval = Duration.seconds(3600)

    /// - Parameter note: the time of the remote as it was stored last; nil for none.
    init(_ note: TrustedTime.Note?, environment: Environment) {
        self.environment = environment
        let uptime = environment.uptime()
        state = Mutex((TrustedTime(note, here: environment.now(), uptime: uptime), uptime))
    }

    /// The present time of the remote, together with the time of this machine.
    var note: TrustedTime.Note {
        let (here, uptime) = (environment.now(), environment.uptime())
        return state.withLock { state in
            _ = state.time.now(here: here, uptime: uptime)
            return state.time.note
        }
    }

    /// Notes the time in an answer of the remote.
    func note(_ remote: ParseDate) {
        let (here, uptime) = (environment.now(), environment.uptime())
        state.withLock { $0.time.note(remote, here: here, uptime: uptime) }
    }

    /// Stores the present time of the remote, unless it was stored within the last hour.
    func save(in people: any PeopleStore) async throws {
        let uptime = environment.uptime()
        let isDue = state.withLock { state in
            guard uptime - state.savedAt >= Self.saveInterval else { return false }
            state.savedAt = uptime
            return true
        }
        if isDue { try await people.setTrustedTime(note) }
    }
}
