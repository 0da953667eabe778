import ParseModel
import RemoteService
import StoreService
import SyncEngine

/// The background work of a space: syncs, the check of the file, indexes and the cleanup of files.
extension Space {
    /// The tasks of the background work.
    struct Work: Sendable {
        let engine: Task<Void, Never>?
        let schemas: Task<Void, Never>?
        /// The tasks that end at once when they are cancelled.
        let others: [Task<Void, Never>]
    }

    /// The maximum time that running requests of clients, and requests to the remote, may take after a stop signal.
    static let drainMax = Duration.seconds(3)

    func start() {
        let engine = syncing.map { syncing in environment.task { await syncing.engine.run() } }
        let localWrites = syncing.map { syncing in
            environment.task { for await _ in syncing.localWrites { await syncing.engine.noteLocalWrite() } }
        }
        let schemas = syncing.map { syncing in
            environment.task { [people, sessions] in
                for await _ in syncing.syncEnds {
                    await syncing.schemas?.takePulled()
                    await sessions?.noteSyncEnd()
                    await people?.noteSyncEnd()
                    await syncing.schemas?.bringUpToDate()
                    await syncing.files?.fetchWanted()
                }
            }
        }
        let stalls = syncing?.stalls.map { stalls in
            environment.task { [engine = syncing?.engine] in if let engine { await stalls.watch(engine) } }
        }
        let others = [
            localWrites, stalls, people.map { people in environment.task { await people.tend() } },
            environment.task { await self.cleanUpFiles() },
            environment.task { await self.tendStore() }, environment.task { await self.makeDueIndexes() },
            environment.task { await self.repairDamage() },
        ].compactMap(\.self)
        work.withLock { $0 = Work(engine: engine, schemas: schemas, others: others) }
    }

    /// Ends the background work. Gives the engine's running request `drainMax` to finish: the outcome of an aborted request would
    /// be unknown at the next start.
    /// - Parameter endsRequests: ends the requests of clients. Called while the engine stops.
    func stop(endsRequests: @escaping @Sendable () async -> Void) async {
        let work = work.withLock { work in
            defer { work = nil }
            return work
        }
        for task in (work?.others ?? []) + [work?.schemas].compactMap(\.self) { task.cancel() }
        // Interrupts long queries after half of `drainMax`, so that no query delays the end of the server and of the process.
        let interruption = environment.task { [environment, store] in
            try await environment.sleep(Self.drainMax / 2)
            store.maintenance.interruptReads()
        }
        await withTaskGroup { group in
            group.addTask { await endsRequests() }
            group.addTask { [people] in await people?.stop() }
            group.addTask { [self] in
                await syncing?.engine.stop()
                let deadline = environment.task { [environment] in
                    try await environment.sleep(Self.drainMax)
                    work?.engine?.cancel()
                }
                await work?.engine?.value
                deadline.cancel()
            }
        }
        interruption.cancel()
        syncing?.remote.close()
        await work?.schemas?.value
    }

    /// Checks the SQLite file, logs its damage and repairs it, concurrently with the first requests. Then repairs the damage that
    /// later reads find, until the task is cancelled.
    private func repairDamage() async {
        await attempt {
            for line in try await store.maintenance.checkFile(isGentle: true).lines { logger.error("\(line)") }
        }
        for await _ in damage { await attempt { try await store.maintenance.mendDamage() } }
    }

    private func attempt(_ work: () async throws -> Void) async {
        do {
            try await work()
        } catch {
            // If the task is cancelled, the gateway is stopping, and the error is not logged.
            if Task.isCancelled { return }
            logger.warning("damage check failed: \(error)")
        }
    }

    /// Every minute until the task is cancelled, creates indexes that queries lack, drops unused indexes, and frees the memory of
    /// unused objects.
    private func tendStore() async {
        while (try? await environment.sleep(.seconds(60))) != nil {
            store.maintenance.dropUnusedObjects()
            await tendIndexes()
        }
    }

    /// Creates indexes as soon as queries have lost much time without them, until the task is cancelled.
    private func makeDueIndexes() async { for await _ in dueIndexes { await tendIndexes() } }

    private func tendIndexes() async {
        do {
            let (made, dropped) = try await store.maintenance.tendIndexes()
            for index in made { logger.info("created an index on \(index)") }
            for index in dropped { logger.info("dropped the index on \(index)") }
        } catch {
            logger.warning("index update failed: \(error)")
        }
    }

    /// At the start, removes stored contents that belong to no file. At the start and every hour, deletes unreferenced files, and
    /// evicts cached contents beyond `fileCacheBytes`. Ends when the task is cancelled.
    private func cleanUpFiles() async {
        do { try await store.maintenance.removeLooseContents(grace: fileGrace) } catch {
            logger.warning("file cleanup failed: \(error)")
        }
        repeat {
            do {
                let collected = try await store.maintenance.collectFiles(grace: fileGrace)
                if collected > 0 { logger.info("deleted \(collected) unreferenced files") }
                try await store.fileCache.evictContents(bytesMax: fileCacheBytes)
            } catch {
                logger.warning("file cleanup failed: \(error)")
            }
        } while (try? await environment.sleep(.seconds(3600))) != nil
    }
}
