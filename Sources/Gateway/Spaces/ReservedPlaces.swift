import Synchronization

/// Reserves a place for each user whose space is being created, so that concurrent sign-ins cannot exceed the maximum
/// number of users.
final class ReservedPlaces: Sendable {
    private let max: Int
    private let users = Mutex<Set<String>>([])

    /// - Parameter max: the number of places.
    init(max: Int) { self.max = max }

    /// - Parameter others: the users with a space.
    /// - Returns: false if there is no place.
    func reserve(for userId: String, besides others: [String]) -> Bool {
        users.withLock { users in
            guard users.union(others).subtracting([userId]).count < max else { return false }
            users.insert(userId)
            return true
        }
    }

    func release(of userId: String) { users.withLock { _ = $0.remove(userId) } }
}
