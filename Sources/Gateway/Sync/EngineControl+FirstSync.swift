import GatewayAPI
import RemoteService
import StoreService

/// Lets requests wait for the first sync of a class.
extension EngineControl {
    /// Whether the objects of a class have been pulled completely.
    private enum Standing: Equatable {
        case complete
        /// The class is not pulled, the remote refuses its pulls, or they have stopped.
        case withoutPulls
        /// At least one pull of the class has not been complete yet.
        /// - Parameter isPartlyPulled: whether another pull of the class has been complete.
        case awaited(isPartlyPulled: Bool)
    }

    func waitForFirstSync(of className: String) async throws -> Bool {
        // The outcome of a sync, or nil for another event. Nothing follows an outcome.
        let (events, event) = AsyncStream<SyncOutcome?>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let observer = changes.add { event.yield(nil) }
        defer { changes.remove(observer) }
        var standing = try await standing(of: className)
        guard case .awaited = standing else { return standing == .complete }
        let timer = environment.task { [environment, forwardWait] in
            try? await environment.sleep(forwardWait)
            event.finish()
        }
        defer { timer.cancel() }
        environment.task {
            event.yield(await run(.full))
            event.finish()
        }
        var reason = "the first sync of \(className) was not complete within \(forwardWait)."
        for await outcome in events {
            standing = try await self.standing(of: className)
            guard case .awaited = standing else { return standing == .complete }
            switch outcome {
            case .finished: reason = "the remote gives no complete list of \(className)."
            case .failed(let error): reason = error.message
            case .paused: reason = "syncing is paused: POST /sync/resume."
            case nil: break
            }
        }
        // Objects that were pulled before another pull was added to the class stay readable.
        if standing == .awaited(isPartlyPulled: true) { return false }
        throw APIError.remoteUnreachable(reason: "The data of this user has not been fetched yet: \(reason)")
    }

    private func standing(of className: String) async throws -> Standing {
        let known = try await store.sync(as: .gateway).syncClasses().first { $0.name == className }
        guard let known, known.isPulled, known.refusal == nil, known.stoppedBecause == nil else {
            return .withoutPulls
        }
        if known.initialSyncComplete { return .complete }
        return .awaited(isPartlyPulled: known.pulls.contains { $0.completeSince != nil })
    }
}
