import GatewayAPI
import RemoteService
import StoreService
import SyncEngine

/// Reads the remote's schemas for a request about a class whose permissions are not known yet.
extension EngineControl {
    func describes(_ className: String) async -> Bool {
        let wasOpen = circuit?.isOpen == true
        guard let schemas, await isReachable(schemas) else { return false }
        let known = try? await store.figures().classes.first { $0.name == className }
        // A class that was created here may be unknown to the remote until its changes are sent.
        if let known, known.pending > 0 {
            await syncOnce()
        } else if wasOpen {
            // The request that closed the circuit breaker has just updated the schemas.
            return true
        }
        await schemas.search(isNewThere: known.map { $0.pending > 0 || $0.objects > 0 } ?? false)
        return true
    }

    /// Whether the remote answers. While the circuit breaker is open, schemas are requested to find this out, because a
    /// client waits.
    private func isReachable(_ schemas: RemoteSchemas) async -> Bool {
        let status = await engine.status
        guard status.state != .paused else { return false }
        guard let circuit else { return status.circuit.state != .open }
        guard circuit.isOpen else { return true }
        guard let permit = try? await circuit.enter() else { return false }
        let verdict = await schemas.search(isNewThere: true)
        circuit.end(permit, verdict)
        if case .answered = verdict { return true }
        return false
    }

    /// Starts a sync and waits for its end, for a limited time.
    private func syncOnce() async {
        let (ends, end) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let timer = environment.task { [environment, forwardWait] in
            try? await environment.sleep(forwardWait)
            end.finish()
        }
        defer { timer.cancel() }
        environment.task { [engine] in
            _ = await engine.startAndWait()
            end.finish()
        }
        for await _ in ends {}
    }
}
