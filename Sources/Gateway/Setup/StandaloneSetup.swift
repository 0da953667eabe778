import GatewayAPI
import Logging
import ParseModel
import RemoteService
import StoreService

/// Sets up a standalone gateway without data: connects it to a remote, or adds the sample data.
struct StandaloneSetup: GatewaySetup {
    let configuration: GatewayConfiguration
    let store: any GatewayStore
    let stores: any StoreKind
    let remotes: RemoteFactory
    let owners: OwnerSessions
    let restart: Restart
    let logger: Logger

    func isNew() async throws -> Bool {
        guard !restart.isRequested else { return false }
        return try await store.maintenance.isUntouched()
    }

    func check(_ connection: NewConnection) async throws -> JSONObject {
        try await requireNew()
        var found: JSONObject = ["healthy": false, "kind": .null, "findings": [], "classes": .null]
        do {
            let settings = try await remoteSettings(connection)
            found["kind"] = settings.kind.map { .string($0.rawValue) } ?? .null
            let remote = try remotes.remote(
                RemoteSetup(settings: settings, token: settings.token?.source, replicaId: "setup"))
            defer { remote.close() }
            let findings = await remote.probe?.diagnose(classes: connection.classes) ?? []
            found["findings"] = .array(findings.map(DoctorFindings.json))
            found["healthy"] = .bool(DoctorFindings.isHealthy(findings, damage: nil))
            if let names = try? await remote.probe?.classNames() {
                found["classes"] = .array(names.sorted().map(JSONValue.string))
            }
        } catch let error as GatewayError {
            found["findings"] = [DoctorFindings.json(RemoteFinding("kind", .failed, "\(error)"))]
        }
        return found
    }

    func connect(_ connection: NewConnection) async throws -> String? {
        var next = try settings(of: connection)
        try await requireNew()
        do {
            try SavedConnection.save(SavedConnection.values(of: connection), in: configuration.dataDirectory)
        } catch {
            throw ParseError(.internalServerError, "The connection is not saved: \(error)")
        }
        logger.notice("the connection to \(connection.url) is saved; the gateway restarts as its replica")
        restart.request()
        (next.listen, next.webDirectory) = (configuration.listen, configuration.webDirectory)
        return next.offersOwnerSessions ? owners.newToken() : nil
    }

    func loadSamples() async throws {
        try await requireNew()
        try await DemoSeed.fill(store, pictures: configuration.webDirectory.map { $0 + "/demo" }, logger: logger)
    }

    private func requireNew() async throws {
        guard try await isNew() else {
            throw ParseError(
                .operationForbidden, "This gateway has data already. Start a gateway with another data directory.")
        }
    }

    /// The settings of the remote, with its kind.
    private func remoteSettings(_ connection: NewConnection) async throws -> GatewayConfiguration.Remote {
        guard let settings = try settings(of: connection).remote else {
            throw GatewayError("the remote has no address")
        }
        return try await RemoteDetection(remotes: remotes, stores: stores).complete(
            settings, classes: connection.classes, directory: configuration.dataDirectory)
    }

    /// Reads the entered values as settings.
    /// - Throws: `ParseError` for a wrong value.
    private func settings(of connection: NewConnection) throws -> GatewayConfiguration {
        var values = SavedConnection.values(of: connection)
        values[.data] = [configuration.dataDirectory]
        values[.remoteCA] = configuration.remoteAuthorities.map { [$0] }
        let directories = StandardDirectories(
            environment: ["HOME": configuration.dataDirectory], current: configuration.dataDirectory, executable: nil)
        do {
            return try .load(arguments: values, environment: [:], directories: directories, remotes: remotes)
        } catch {
            throw ParseError(.invalidJSON, "\(error)")
        }
    }
}
