import SyncEngine

/// Creates the users of a run of kind `site` at its start, and checks them at its end.
extension World {
    func begin(_ people: SimulatedPeople) async throws {
        try await people.begin()
        try await people.describeClasses()
        for replica in replicas {
            for userId in people.userIds { try await people.logIn(userId, at: replica) }
            _ = await replica.sync(.full)
        }
    }

    /// Checks that only the changes of users without a session wait. Then logs every user in.
    func settle(_ people: SimulatedPeople) async throws {
        for replica in replicas {
            for _ in 0..<3 {
                _ = await replica.sync(.full)
                time.advance(ms: 15_000)
            }
            try await replica.checkQueues()
            for userId in people.userIds { try await people.logIn(userId, at: replica) }
        }
    }
}
