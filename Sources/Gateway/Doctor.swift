import HTTPClient
import ParseRemote
import RemoteService
import StoreService

/// Looks at a remote, and at a SQLite file, without changing either.
package enum Doctor {
    /// - Parameter directory: a data directory, which a gateway may be using.
    /// - Returns: one line for each damage that was found.
    /// - Throws: `GatewayError` where the file cannot be read at all.
    package static func checkFile(in directory: String, stores: any StoreKind) async throws(GatewayError) -> [String] {
        do { return try await stores.checkFile(in: directory).lines } catch { throw GatewayError(error) }
    }

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
