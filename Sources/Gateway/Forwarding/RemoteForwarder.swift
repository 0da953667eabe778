import GatewayAPI
import HTTPClient
import HTTPTypes
import HeaderNames
import RemoteService
import SyncEngine

/// Carries calls of local clients to the remote, under the remote's application id and client key.
struct RemoteForwarder: RemoteCalls {
    let remote: GatewayConfiguration.Remote
    let transport: any HTTPTransport
    /// The sync engine's knowledge of the remote.
    let status: @Sendable () async -> SyncStatus

    /// A remote that says nothing is given up as soon as a sync gives it up. Answers are smaller than pages of a pull.
    static let transportConfiguration = CurlTransport.Configuration(responseBytesMax: 64 << 20, transfersMax: 16)

    func call(_ call: RemoteCall) async throws(APIError) -> RemoteAnswer {
        let status = await status()
        if status.state == .paused, !call.isInsisted {
            throw .remoteUnreachable(
                reason: "Syncing is paused, and only the remote can answer this: POST /sync/resume.")
        }
        // A sync has just found out, and finds out when that changes.
        if status.circuit.state == .open { throw .remoteUnreachable(status) }
        let response: HTTPClientResponse
        do {
            response = try await transport.send(request(call))
        } catch {
            switch error {
            case .notSent(let reason), .forbidden(let reason):
                throw .remoteUnreachable(reason: "The remote cannot be reached: \(reason)")
            case .outcomeUnknown(let reason), .tooLong(let reason):
                throw .remoteSilent(
                    reason: "The remote gave no whole answer, and may have done what it was asked: \(reason)")
            }
        }
        guard response.status.kind != .redirection, response.status.kind != .informational else {
            throw .remoteUnreachable(
                reason: "The remote redirects to another address (HTTP \(response.status.code)): is its URL right?")
        }
        return RemoteAnswer(
            status: response.status, headers: response.headers, body: response.body, location: location(response))
    }

    private func request(_ call: RemoteCall) -> HTTPClientRequest {
        var headers = call.headers
        headers[.parseApplicationId] = remote.applicationId
        headers[.parseRESTKey] = remote.restKey?.value
        headers[.parseMasterKey] = call.masterKey.flatMap { isRemotes($0, isOwn: call.isOwnMasterKey) ? $0 : nil }
        return HTTPClientRequest(
            method: call.method, url: remote.url + call.target, headers: headers, body: call.body,
            isRepeatable: call.isRepeatable)
    }

    /// Where the remote's key is not known here, the remote decides; but it must not learn ours.
    private func isRemotes(_ key: String, isOwn: Bool) -> Bool {
        guard let known = remote.masterKey?.value else { return !isOwn }
        return ConstantTime.isEqual(key, Array(known.utf8))
    }

    private func location(_ response: HTTPClientResponse) -> String? {
        guard let location = response.headers[.location], location.hasPrefix(remote.url + "/") else { return nil }
        return String(location.dropFirst(remote.url.count))
    }
}

extension APIError {
    /// The engine has met a remote that does not answer, and asks it again at a time of its own.
    static func remoteUnreachable(_ status: SyncStatus) -> APIError {
        let next = status.circuit.retryAt.map { " It is asked again at \($0.iso)." } ?? ""
        return .remoteUnreachable(reason: (status.lastError ?? "The remote cannot be reached.") + next)
    }
}
