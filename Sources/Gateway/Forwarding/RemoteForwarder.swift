import GatewayAPI
import ParseModel
import RemoteService

/// Forwards calls of local clients to the remote. A call is sent even while the circuit breaker is open, because a
/// person waits for the answer. While syncing is paused, only calls whose `ignoresPause` is true are sent.
struct RemoteForwarder: RemoteCalls {
    let service: any RemoteCallService
    /// The remote's master key; nil if the settings do not name it.
    let masterKey: Secret?
    /// The circuit breaker that all requests of the gateway share.
    let circuit: RemoteCircuit
    /// Whether syncing is paused.
    let isPaused: @Sendable () async -> Bool

    var limits: RemoteLimits.Values { service.limits }

    func call(_ call: RemoteCall) async throws(APIError) -> RemoteAnswer {
        try await check(call)
        do { return try await send(call) } catch { throw APIError(ofCall: error) }
    }

    func callIfReachable(_ call: RemoteCall) async throws(APIError) -> RemoteAnswer? {
        try await check(call)
        do {
            return try await send(call)
        } catch {
            switch error {
            case .unreachable, .interrupted: return nil
            default: throw APIError(ofCall: error)
            }
        }
    }

    private func send(_ call: RemoteCall) async throws(RemoteError) -> RemoteAnswer {
        let call = sent(call)
        return try await circuit.send { [service] () async throws(RemoteError) in try await service.call(call) }
    }

    private func check(_ call: RemoteCall) async throws(APIError) {
        guard !call.ignoresPause, await isPaused() else { return }
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
        guard let next = status.circuit.retryAt else { return .remoteUnreachable(reason: error) }
        return .remoteUnreachable(reason: error.sentence + " It is asked again at \(next.iso).")
    }

    /// The error of a forwarded call for which the remote has given no usable answer.
    fileprivate init(ofCall error: RemoteError) {
        switch error {
        case .unreachable(let reason): self = .remoteUnreachable(reason: "The remote cannot be reached: \(reason)")
        // A proxy's page with a success status may have replaced the answer to a call that the remote has executed.
        case .misaddressed(200..<300, _):
            self = .remoteUnusable(
                reason:
                    "The answer does not come from a Parse Server, and the call may have been executed: \(error). \(Self.hint)"
            )
        case .misaddressed:
            self = .remoteUnreachable(reason: "The answer does not come from a Parse Server: \(error). \(Self.hint)")
        case .tooMuch, .faulty, .failed, .overloaded, .unauthorized, .classUnauthorized, .refused:
            self = .remoteUnusable(reason: Self.incomplete(error))
        case .interrupted: self = .remoteSilent(reason: Self.incomplete(error))
        }
    }

    private static func incomplete(_ error: RemoteError) -> String {
        "The remote's answer is missing or incomplete, and the remote may have executed the call: \(error)"
    }

    private static let hint = "Check the remote's URL, and whether this network asks for a sign-in."
}
