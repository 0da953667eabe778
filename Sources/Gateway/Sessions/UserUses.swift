import ParseModel
import StoreService
import Synchronization

/// Records the time of each user's last request. The time is stored at intervals, not for each request.
final class UserUses: Sendable {
    private let people: any PeopleStore
    private let environment: Environment
    /// The time without a request after which the data of a user is removed; nil for never.
    private let forgetAfter: Duration?
    private let noted = Mutex<[String: ParseDate]>([:])

    init(people: any PeopleStore, forgetAfter: Duration?, environment: Environment) {
        self.people = people
        self.forgetAfter = forgetAfter
        self.environment = environment
    }

    /// The interval at which the time of a user's last request is stored.
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

    /// The data of users without a request since this time is removed; nil to keep all data. The time is earlier by one
    /// interval than `forgetAfter` demands, because requests are recorded at intervals.
    var unusedSince: ParseDate? { forgetAfter.map { environment.now() - $0 - interval } }

    /// The users without a request for the time `forgetAfter`.
    func unused() throws -> [String] {
        guard let unusedSince else { return [] }
        return try people.lastUses().filter { $0.value <= unusedSince }.keys.sorted()
    }
}
