import GatewayAPI
import RemoteService

/// Forwards calls of local clients to the remote. Refuses calls while the circuit is open, that is, after a sync without a usable
/// answer from the remote. While syncing is paused, forwards only calls whose `ignoresPause` is true.
struct RemoteForwarder: RemoteCalls {
    let service: any RemoteCallService
    /// The remote's master key; nil if the settings do not name it.
    let masterKey: Secret?
    /// The engine's current sync status.
    let status: @Sendable () async -> SyncStatus

    func call(_ call: RemoteCall) async throws(APIError) -> RemoteAnswer {
        let status = await status()
        try check(call, status)
        // While the circuit is open, calls are refused. The next sync tests whether the remote answers again.
        if status.circuit.state == .open { throw .remoteUnreachable(status) }
        do {
            return try await service.call(sent(call))
        } catch {
            throw APIError(ofCall: error)
        }
    }

    func callIfReachable(_ call: RemoteCall) async throws(APIError) -> RemoteAnswer? {
        try check(call, await status())
        do {
            return try await service.call(sent(call))
        } catch {
            switch error {
            case .unreachable, .interrupted: return nil
            default: throw APIError(ofCall: error)
            }
        }
    }

    private func check(_ call: RemoteCall, _ status: SyncStatus) throws(APIError) {
        guard status.state == .paused, !call.ignoresPause else { return }
        throw .remoteUnreachable(
            reason: "Syncing is paused, and only the remote can answer this: POST /sync/resume.")
    }

    private func sent(_ call: RemoteCall) -> RemoteCall {
        var sent = call
        sent.masterKey = call.masterKey.flatMap { isRemotes($0, isOwn: call.isOwnMasterKey) ? $0 : nil }
        return sent
    }

    /// Whether the master key of a call may be sent to the remote. If the settings name the remote's master key, only an equal
    /// key is sent. Otherwise, every key is sent except the gateway's own, and the remote checks the key.
    private func isRemotes(_ key: String, isOwn: Bool) -> Bool {
        guard let known = masterKey?.value else { return !isOwn }
        return ConstantTime.isEqual(key, Array(known.utf8))
    }
}

extension APIError {
    /// The error while the engine considers the remote unreachable, with the time of the next attempt.
    static func remoteUnreachable(_ status: SyncStatus) -> APIError {
        let error = status.lastError ?? "The remote cannot be reached."
        let next = status.circuit.retryAt.map { (error.hasSuffix(".") ? "" : ".") + " It is asked again at \($0.iso)." }
        return .remoteUnreachable(reason: error + (next ?? ""))
    }

    /// The error of a forwarded call for which the remote has given no usable answer.
    fileprivate init(ofCall error: RemoteError) {
        switch error {
        case .unreachable(let reason): self = .remoteUnreachable(reason: "The remote cannot be reached: \(reason)")
        case .misaddressed(let status, _):
            self = .remoteUnreachable(
                reason: "The remote redirects to another address (HTTP \(status)): is its URL right?")
        case .interrupted, .tooMuch, .faulty, .failed, .overloaded, .unauthorized, .classUnauthorized, .refused:
            self = .remoteSilent(
                reason: "The remote gave no whole answer, and may have done what it was asked: \(error)")
        }
    }
}
