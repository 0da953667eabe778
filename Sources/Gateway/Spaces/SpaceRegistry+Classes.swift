import StoreService

/// The classes of open spaces follow those of the gateway. A closed space follows them when it opens.
extension SpaceRegistry {
    /// Brings the classes of all open spaces up to date. Calls run one after another, each with the present classes.
    func followClasses() async {
        let task = state.withLock { state -> Task<Void, Never> in
            state.classesVersion += 1
            let earlier = state.following
            let task = environment.task {
                await earlier?.value
                await self.followPresentClasses()
            }
            state.following = task
            return task
        }
        await task.value
    }

    private func followPresentClasses() async {
        let open = state.withLock { $0.open.mapValues(\.space) }
        for (userId, space) in open.sorted(by: { $0.key < $1.key }) {
            do {
                let problems = try await space.store.classFollower.follow(try await classes())
                for problem in problems { logger.warning("a class of the user \(userId): \(problem)") }
                await space.syncing?.engine.start()
            } catch {
                logger.error("the classes of the user \(userId) cannot be brought up to date: \(error)")
            }
        }
    }
}
