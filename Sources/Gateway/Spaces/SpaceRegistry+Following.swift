import StoreService

/// Passes changes of the gateway's classes and pauses on to the open spaces. A closed space takes them over when it opens.
extension SpaceRegistry {
    /// Applies the gateway's present pause and classes to all open spaces. Calls run one after another.
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

    /// Called after a space was opened. The gateway's classes or pause may have changed after the space read them.
    func catchUp(since gatewayVersion: Int) async {
        if state.withLock({ $0.gatewayVersion }) != gatewayVersion { await followGateway() }
    }

    private func followNow() async {
        let open = state.withLock { $0.open.mapValues(\.space) }.sorted { $0.key < $1.key }
        do {
            let isPaused = try await store.figures().isPaused
            for (_, space) in open { await space.syncing?.engine.follow(gatewayIsPaused: isPaused) }
        } catch {
            logger.error("the users cannot follow a pause of the gateway: \(error)")
        }
        for (userId, space) in open {
            do {
                for problem in try await space.store.classFollower.follow(
                    try await store.sync(as: .gateway).syncClasses())
                {
                    logger.warning("a class of the user \(userId): \(problem)")
                }
                await space.syncing?.engine.start()
            } catch {
                logger.error("the classes of the user \(userId) cannot be brought up to date: \(error)")
            }
        }
    }
}
