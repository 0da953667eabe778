import RemoteService
import StoreService

/// Finds the kind of a remote that the settings do not name.
struct RemoteDetection {
    let remotes: RemoteFactory
    let stores: any StoreKind

    /// The settings with the kind of the remote. The kind in the settings takes precedence over the kind in the data
    /// directory. Without either, the answers of the server show the kind.
    /// - Parameters:
    ///   - classes: the classes named in the settings. Their lists show the kind of the server.
    ///   - directory: the data directory, which need not exist.
    /// - Throws: `GatewayError` if the kind is unknown to the factory, or cannot be found.
    func complete(
        _ settings: GatewayConfiguration.Remote, classes: [String], directory: String
    ) async throws -> GatewayConfiguration.Remote {
        var settings = settings
        if settings.kind == nil {
            // An unreadable file is reported when it is opened.
            let known = try? stores.remoteOutline(in: directory)?.remote
            if let known, known.url == settings.url { settings.kind = RemoteKind(rawValue: known.kind) }
        }
        if settings.kind == nil { settings.kind = try await detectedKind(of: settings, classes: classes) }
        if let kind = settings.kind { try remotes.check(kind) }
        if let kind = settings.kind, settings.applicationId == nil, remotes.needsApplicationId(kind) {
            throw GatewayError(
                "the remote \(settings.url) is a Parse Server, which needs its application id: add "
                    + "\(Setting.appId.option) ID")
        }
        return settings
    }

    private func detectedKind(of settings: GatewayConfiguration.Remote, classes: [String]) async throws -> RemoteKind {
        var failure: RemoteError?
        let token = settings.token?.source
        for kind in remotes.kinds {
            var asked = settings
            asked.kind = kind
            let remote = try remotes.remote(
                RemoteSetup(settings: asked, token: token, replicaId: "detection"))
            defer { remote.close() }
            do {
                if try await remote.probe?.recognizesServer(classes: classes) == true { return kind }
            } catch {
                failure = error
                // The other requests would fail in the same way.
                if case .unreachable = error { break }
            }
        }
        throw GatewayError(reason(failure, settings.url, classes))
    }

    private func reason(_ failure: RemoteError?, _ url: String, _ classes: [String]) -> String {
        let option = "\(Setting.remoteKind.option) \(remotes.names.joined(separator: "|"))"
        let start = "the kind of the remote \(url) cannot be detected"
        if let failure { return "\(start): \(failure). Name it with \(option)" }
        if classes.isEmpty {
            return
                "\(start) without a class: add \(Setting.className.option) NAME, or name the kind with \(option)"
        }
        return "\(start): it answers no list of \(classes[0]). Check the address, or name the kind with \(option)"
    }
}
