import RemoteService
import StoreService

/// Checks a remote and a SQLite file, and changes neither.
package enum Doctor {
    /// - Parameter directory: a data directory, which a gateway may be using.
    /// - Returns: one line for each damage that was found.
    /// - Throws: `GatewayError` if the file cannot be read at all.
    package static func checkFile(in directory: String, stores: any StoreKind) async throws(GatewayError) -> [String] {
        do { return try await stores.checkFile(in: directory).lines } catch { throw GatewayError(error) }
    }

    /// - Parameter classes: the classes that the settings name.
    /// - Throws: `GatewayError` if the kind of the remote is unknown.
    package static func diagnose(
        _ settings: GatewayConfiguration.Remote, classes: [String], remotes: RemoteFactory = .standard
    ) async throws(GatewayError) -> RemoteDiagnosis {
        let remote = try remotes.remote(RemoteSetup(settings: settings, replicaId: "doctor"))
        defer { remote.close() }
        return await RemoteDiagnosis(of: remote, classes: classes)
    }
}
