import HTTPClient
import ParseRemote
import RemoteService

/// Looks at a remote from here, without a data directory and without changing anything.
package enum Doctor {
    /// - Parameter classes: those that somebody wants to sync.
    package static func diagnose(
        _ remote: GatewayConfiguration.Remote, classes: [String]
    ) async -> RemoteDiagnosis {
        let transport = CurlTransport(configuration: .init())
        defer { transport.close() }
        return await ParseRemote(configuration: remote.client(replicaId: "doctor"), transport: transport)
            .diagnose(classes: classes)
    }
}
