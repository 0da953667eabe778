import DatasyncRemote
import HTTPClient
import ParseRemote
import RemoteHTTP
import RemoteService

/// Creates remotes of the registered kinds. Outside of tests and the simulation, only this file imports the implementations of
/// remotes.
package struct RemoteFactory: Sendable {
    package typealias Make = @Sendable (RemoteSetup) -> any RemoteService

    private struct Registration: Sendable {
        let needsApplicationId: Bool
        let make: Make
    }

    private var registrations: [RemoteKind: Registration] = [:]

    /// The factory with all kinds that the program supports.
    package static let standard = RemoteFactory()
        .registering(.parse, needsApplicationId: true, make: parse)
        .registering(.datasync, needsApplicationId: false, make: datasync)

    /// A factory with all kinds, whose remotes cannot be reached. It is used for a gateway that does not run.
    package static let unreachable = RemoteFactory()
        .registering(.parse, needsApplicationId: true) { parseRemote($0, transport: NoNetwork()) }
        .registering(.datasync, needsApplicationId: false) { datasyncRemote($0, transport: NoNetwork()) }

    /// A factory without kinds.
    package init() {}

    /// Returns a copy of this factory that also creates remotes of the given kind.
    /// - Parameter needsApplicationId: whether the settings must name the application id of the remote.
    package func registering(
        _ kind: RemoteKind, needsApplicationId: Bool, make: @escaping Make
    ) -> RemoteFactory {
        var factory = self
        factory.registrations[kind] = Registration(needsApplicationId: needsApplicationId, make: make)
        return factory
    }

    /// The names of the kinds, in alphabetical order.
    package var names: [String] { kinds.map(\.rawValue) }

    /// The kinds, in alphabetical order of their names.
    var kinds: [RemoteKind] { registrations.keys.sorted { $0.rawValue < $1.rawValue } }

    /// Whether the settings of a remote of this kind must name an application id.
    package func needsApplicationId(_ kind: RemoteKind) -> Bool { registrations[kind]?.needsApplicationId == true }

    /// Creates a remote. The remote opens no connection before its first request.
    /// - Throws: `GatewayError` if the settings name no kind, or one that is not registered.
    package func remote(_ setup: RemoteSetup) throws(GatewayError) -> any RemoteService {
        guard let kind = setup.settings.kind else { throw GatewayError("the kind of the remote is unknown") }
        return try registration(of: kind).make(setup)
    }

    /// - Throws: `GatewayError` if the kind is not registered.
    func check(_ kind: RemoteKind) throws(GatewayError) { _ = try registration(of: kind) }

    private func registration(of kind: RemoteKind) throws(GatewayError) -> Registration {
        guard let registration = registrations[kind] else {
            throw GatewayError(
                "'\(kind.rawValue)' is no kind of remote: choose one of \(names.joined(separator: ", "))")
        }
        return registration
    }

    // MARK: Kinds

    /// The configuration of the transport for forwarded calls. The limits are lower than the defaults, which suit pulls: answers
    /// to calls are shorter than pages of a pull, and fewer calls run at a time.
    static func callTransport(_ settings: GatewayConfiguration.Remote) -> CurlTransport.Configuration {
        CurlTransport.Configuration(responseBytesMax: 64 << 20, caBundle: settings.caFile, transfersMax: 16)
    }

    private static func transport(_ setup: RemoteSetup) -> CurlTransport {
        CurlTransport(configuration: .init(caBundle: setup.settings.caFile))
    }

    private static let parse: Make = { setup in
        parseRemote(
            setup, transport: transport(setup),
            callTransport: CurlTransport(configuration: callTransport(setup.settings)), liveQuery: liveQuery(setup))
    }

    private static func liveQuery(_ setup: RemoteSetup) -> LiveQueryAccess? {
        guard let environment = setup.listening, let url = setup.settings.liveQueryURL else { return nil }
        return LiveQueryAccess(url: url, environment: environment, caBundle: setup.settings.caFile)
    }

    /// A Parse Server as the remote, over any transport.
    /// - Parameters:
    ///   - callTransport: sends the forwarded calls; nil to use `transport` for them.
    ///   - liveQuery: the server's LiveQuery; nil to open no connection to it.
    package static func parseRemote(
        _ setup: RemoteSetup, transport: any HTTPTransport, callTransport: (any HTTPTransport)? = nil,
        liveQuery: LiveQueryAccess? = nil
    ) -> any RemoteService {
        let settings = setup.settings
        return ParseRemote(
            configuration: ParseRemote.Configuration(
                serverURL: settings.url, applicationId: settings.applicationId ?? "",
                restKey: settings.restKey?.value, masterKey: settings.masterKey?.value, replicaId: setup.replicaId,
                fileSources: FileSources(hosts: setup.fileHosts, isOwn: setup.isOwnAddress), sessions: setup.sessions,
                pulledSchemas: setup.readsSchemas ? PulledSchemas() : nil, liveQuery: liveQuery, limits: setup.limits,
                wait: setup.wait),
            transport: transport, callTransport: callTransport)
    }

    private static let datasync: Make = { datasyncRemote($0, transport: transport($0)) }

    private static func datasyncRemote(_ setup: RemoteSetup, transport: any HTTPTransport) -> any RemoteService {
        DatasyncRemote(
            configuration: DatasyncRemote.Configuration(
                serverURL: setup.settings.url, token: setup.token,
                fileSources: FileSources(hosts: setup.fileHosts, isOwn: setup.isOwnAddress),
                recordedDialect: setup.dialect, mapping: setup.mapping, recordDialect: setup.recordDialect),
            transport: transport)
    }
}

/// A transport that sends no request.
private struct NoNetwork: HTTPTransport {
    func send(_ request: HTTPClientRequest) async throws(HTTPTransportError) -> HTTPClientResponse {
        throw .notSent(reason: "the gateway does not run")
    }
}
