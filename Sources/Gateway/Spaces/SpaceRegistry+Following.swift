import StoreService

/// Open spaces follow the classes and the pauses of the gateway. A closed space follows them when it opens.
extension SpaceRegistry {
    /// Brings all open spaces up to date. Calls run one after another, each with the present classes.
    func followGateway() async {
        let task = state.withLock { state -> Task<Void, Never> in
            state.gatewayVersion += 1
            let earlier = state.following
            let task = environment.task {
                await earlier?.value
                await self.followNow()
            }
            state.following = task
            return task
        }
        await task.value
    }

    private func followNow() async {
        let open = state.withLock { $0.open.mapValues(\.space) }
        for (userId, space) in open.sorted(by: { $0.key < $1.key }) {
            do {
                await space.syncing?.engine.follow(gatewayIsPaused: try await isPaused())
                let problems = try await space.store.classFollower.follow(try await classes())
                for problem in problems { logger.warning("a class of the user \(userId): \(problem)") }
                await space.syncing?.engine.start()
            } catch {
                logger.error("the data of the user \(userId) cannot follow the gateway: \(error)")
            }
        }
    }
}
