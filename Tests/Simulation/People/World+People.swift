import SyncEngine

/// Creates the users of a run of kind `site` at the start, and checks their changes and rights at the end.
extension World {
    func begin(_ people: SimulatedPeople) async throws {
        try await people.begin()
        try await people.describeClasses()
        for replica in replicas {
            for userId in people.userIds { try await people.logIn(userId, at: replica) }
            _ = await replica.sync(.full)
        }
    }

    /// Checks that all waiting changes belong to users without a session. Then logs every user in.
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
