import RemoteService
import StoreService

/// Checks a remote and a SQLite file, and changes neither.
package enum Doctor {
    /// Checks the SQLite file for damage.
    /// - Parameter directory: a data directory. A gateway may be using it.
    /// - Returns: one line for each finding; empty for an intact file.
    /// - Throws: `GatewayError` if the file is unreadable.
    package static func checkFile(in directory: String, stores: any StoreKind) async throws(GatewayError) -> [String] {
        do { return try await stores.checkFile(in: directory).lines } catch { throw GatewayError(error) }
    }

    /// Checks the address, the keys and the classes of a remote.
    /// - Parameter classes: the classes that the settings name.
    /// - Throws: `GatewayError` if the kind of the remote is unknown.
    package static func diagnose(
        _ settings: GatewayConfiguration.Remote, classes: [String], remotes: RemoteFactory = .standard
    ) async throws(GatewayError) -> RemoteDiagnosis {
        let remote = try remotes.remote(
            RemoteSetup(settings: settings, token: settings.token?.source, replicaId: "doctor"))
        defer { remote.close() }
        return await RemoteDiagnosis(of: remote, classes: classes)
    }
}
