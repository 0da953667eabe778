import GatewayAPI
import RemoteService

/// Forwards calls of local clients to the remote, unless syncing is paused or the last sync found the remote unreachable.
struct RemoteForwarder: RemoteCalls {
    let service: any RemoteCallService
    /// The remote's master key; nil if the settings do not name it.
    let masterKey: Secret?
    /// The engine's knowledge of the remote.
    let status: @Sendable () async -> SyncStatus

    func call(_ call: RemoteCall) async throws(APIError) -> RemoteAnswer {
        let status = await status()
        if status.state == .paused, !call.isInsisted {
            throw .remoteUnreachable(
                reason: "Syncing is paused, and only the remote can answer this: POST /sync/resume.")
        }
        // The engine asks the remote again at its own time.
        if status.circuit.state == .open { throw .remoteUnreachable(status) }
        var sent = call
        sent.masterKey = call.masterKey.flatMap { isRemotes($0, isOwn: call.isOwnMasterKey) ? $0 : nil }
        do {
            return try await service.call(sent)
        } catch {
            throw APIError(ofCall: error)
        }
    }

    /// If the remote's key is not known here, the remote checks the caller's key; but it must not learn this gateway's own.
    private func isRemotes(_ key: String, isOwn: Bool) -> Bool {
        guard let known = masterKey?.value else { return !isOwn }
        return ConstantTime.isEqual(key, Array(known.utf8))
    }
}

extension APIError {
    /// The engine has found that the remote does not answer, and asks it again at its own time.
    static func remoteUnreachable(_ status: SyncStatus) -> APIError {
        let next = status.circuit.retryAt.map { " It is asked again at \($0.iso)." } ?? ""
        return .remoteUnreachable(reason: (status.lastError ?? "The remote cannot be reached.") + next)
    }

    /// The remote gave no answer to a call.
    fileprivate init(ofCall error: RemoteError) {
        switch error {
        case .unreachable(let reason): self = .remoteUnreachable(reason: "The remote cannot be reached: \(reason)")
        case .misaddressed(let status, _):
            self = .remoteUnreachable(
                reason: "The remote redirects to another address (HTTP \(status)): is its URL right?")
        case .interrupted, .tooMuch, .faulty, .overloaded, .unauthorized, .refused:
            self = .remoteSilent(
                reason: "The remote gave no whole answer, and may have done what it was asked: \(error)")
        }
    }
}
