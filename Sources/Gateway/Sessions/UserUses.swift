import ParseModel
import StoreService
import Synchronization

/// The times of the users' last requests. They are stored at intervals, and not for each request.
final class UserUses: Sendable {
    private let people: any PeopleStore
    private let environment: Environment
    /// The time without a use after which the data of a user is removed; nil for never.
    private let forgetAfter: Duration?
    private let noted = Mutex<[String: ParseDate]>([:])

    init(people: any PeopleStore, forgetAfter: Duration?, environment: Environment) {
        self.people = people
        self.forgetAfter = forgetAfter
        self.environment = environment
    }

    /// The interval at which uses are stored.
    private var interval: Duration { min(.seconds(3600), (forgetAfter ?? .seconds(14_400)) / 4) }

    /// Records a request of a user, unless one was recorded within the interval.
    func note(_ userId: String) async throws {
        let now = environment.now()
        let isDue = noted.withLock { noted in
            if let last = noted[userId], last <= now, now < last + interval { return false }
            noted[userId] = now
            return true
        }
        if isDue { try await people.noteUse(by: userId, at: now) }
    }

    func forget(_ userId: String) { noted.withLock { $0[userId] = nil } }

    /// The data of a user who has not used the gateway since this time is removed; nil to keep all data. It is earlier by
    /// one interval, because uses are recorded at intervals.
    var unusedSince: ParseDate? { forgetAfter.map { environment.now() - $0 - interval } }

    /// The users without a use for `forgetAfter`.
    func unused() throws -> [String] {
        guard let unusedSince else { return [] }
        return try people.lastUses().filter { $0.value <= unusedSince }.keys.sorted()
    }
}
