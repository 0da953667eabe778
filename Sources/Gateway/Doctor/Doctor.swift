import RemoteService
import StoreService
import SyncModel

/// Runs the checks of `tidegate doctor` on a remote and on a SQLite file. The checks change neither of them.
package enum Doctor {
    /// Checks the SQLite file for damage.
    /// - Parameter directory: a data directory. A gateway may be using it.
    /// - Returns: one line for each finding; empty for an intact file.
    /// - Throws: `GatewayError` if the file is unreadable.
    package static func checkFile(in directory: String, stores: any StoreKind) async throws(GatewayError) -> [String] {
        do { return try await stores.checkFile(in: directory).lines } catch { throw GatewayError(error) }
    }

    /// Reads the ACLs and class permissions that a standalone gateway enforces.
    /// - Returns: one line for each kind; empty without any, and for a replica.
    /// - Throws: `GatewayError` if the file is unreadable.
    package static func rights(in directory: String, stores: any StoreKind) throws(GatewayError) -> [String] {
        do { return try stores.effectiveRights(in: directory)?.lines ?? [] } catch { throw GatewayError(error) }
    }

    /// Finds the users of a standalone gateway who cannot do everything that others can: users without a password, and
    /// users with equal names.
    /// - Returns: one line for each kind; empty without any, and for a replica.
    /// - Throws: `GatewayError` if the file is unreadable.
    package static func users(in directory: String, stores: any StoreKind) throws(GatewayError) -> [String] {
        do { return try stores.accountFindings(in: directory)?.lines ?? [] } catch { throw GatewayError(error) }
    }

    /// Finds strings in a replica's objects that contain a local id which the remote has replaced by its own.
    /// - Returns: one line for each field; empty without any, and for a standalone gateway.
    /// - Throws: `GatewayError` if the file is unreadable.
    package static func replacedIds(in directory: String, stores: any StoreKind) throws(GatewayError) -> [String] {
        do { return try stores.replacedIds(in: directory)?.lines ?? [] } catch { throw GatewayError(error) }
    }

    /// Compares the setting `people` with that of the last start, and counts the users whose changes are not sent under
    /// the new setting.
    /// - Returns: one line for each finding; empty without any, for a standalone gateway, and if the key for sessions keeps the gateway from
    ///   starting, which `diagnose` reports.
    /// - Throws: `GatewayError` if a file is unreadable.
    package static func people(
        _ configuration: GatewayConfiguration, stores: any StoreKind
    ) throws(GatewayError) -> [String] {
        guard configuration.remote != nil else { return [] }
        do {
            let outline = try stores.remoteOutline(in: configuration.dataDirectory)
            guard configuration.people.keyFault(lastMode: outline?.people) == nil else { return [] }
            return try PeopleMode(
                was: outline?.people, isOfEarlierVersion: outline.map { $0.people == nil && $0.hasSynced } ?? false,
                waitingAuthors: outline?.waitingAuthors ?? 0,
                settings: configuration.people,
                dataDirectory: configuration.dataDirectory, stores: stores
            ).lines
        } catch {
            throw GatewayError(error)
        }
    }

    /// Checks the address, the keys and the classes of the configured remote.
    /// - Returns: the findings; nil for a standalone gateway.
    /// - Throws: `GatewayError` if the kind of the remote is unknown.
    package static func diagnose(
        _ configuration: GatewayConfiguration, stores: any StoreKind, remotes: RemoteFactory = .standard
    ) async throws(GatewayError) -> [RemoteFinding]? {
        guard let given = configuration.remote else { return nil }
        do {
            let settings = try await RemoteDetection(remotes: remotes, stores: stores).complete(
                given, classes: configuration.classes, directory: configuration.dataDirectory)
            // An unreadable file is found by `checkFile`, and does not end the checks of the remote.
            let outline = try? stores.remoteOutline(in: configuration.dataDirectory)
            let known = outline?.remote.url == settings.url ? outline : nil
            let mappings = known?.mappings ?? [:]
            let remote = try remotes.remote(
                RemoteSetup(
                    settings: settings, token: settings.token?.source, replicaId: "doctor",
                    mapping: { mappings[$0] ?? ClassMapping() }))
            defer { remote.close() }
            var findings = await remote.probe?.diagnose(classes: configuration.classes) ?? []
            if given.kind == nil, let kind = settings.kind {
                findings.insert(RemoteFinding("kind", .ok, "The kind of the remote is \(kind.rawValue)."), at: 0)
            }
            if let reason = configuration.people.keyFault(lastMode: outline?.people) {
                findings.append(RemoteFinding("sessionKey", .failed, "The gateway does not start: \(reason)"))
            }
            findings += RemoteLimits.Values(kept: known?.limits).findings
            return findings + RemoteOffer.lacking(in: remote).map(\.finding)
        } catch {
            throw GatewayError(error)
        }
    }
}
