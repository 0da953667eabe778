import Foundation
import GatewayAPI
import HTTPServer
import Passwords
import StoreService
import SyncEngine

/// Derives the configurations of the store, the sync engine, the server and the API.
extension GatewayConfiguration {
    /// The identity of a remote, as a store records it.
    /// - Parameter subject: the user whom the remote's token names; nil if unknown.
    func identity(of remote: Remote, subject: String? = nil) -> StoreIdentity.Remote {
        StoreIdentity.Remote(
            kind: remote.kind?.rawValue ?? StoreIdentity.Remote.kindOfEarlierFiles, url: remote.url,
            applicationId: remote.applicationId, subject: subject)
    }

    /// - Parameter subject: the user whom the remote's token names; nil if unknown.
    func store(subject: String? = nil) -> StoreSettings {
        let identity = StoreIdentity(remote: remote.map { self.identity(of: $0, subject: subject) })
        var store = StoreSettings(directory: dataDirectory, identity: identity)
        store.synchronous = synchronous == .full ? .full : .normal
        store.takesOver = takesOver
        store.sharedDirectory = sharedDirectory
        store.seesEverything = remote?.masterKey != nil
        store.keepsRemoteFiles = people.mode == .personal && sharedDirectory == nil
        store.allowsChosenIds = allowsChosenIds
        store.duplicateDeviceToken = duplicateDeviceToken
        return store
    }

    /// Whether the gateway offers browser sessions to the person who runs it. In a replica with users, the page would
    /// otherwise need the master key to operate the gateway. The link is sent over plain HTTP, so the gateway must
    /// listen on loopback.
    var offersOwnerSessions: Bool {
        remote != nil && people.mode != .off && listen.isLoopback && webDirectory != nil
    }

    var syncOptions: SyncOptions {
        var options = SyncOptions()
        options.interval = pullInterval
        options.scrubBounds = scrubBounds
        options.fieldCanariesMax = fieldCanariesMax
        options.diskFreeMin = diskFreeMin
        options.freeBytes = { [dataDirectory] in FreeSpace.bytes(at: dataDirectory) }
        return options
    }

    /// - Parameter certificate: the certificate for TLS; nil for plain HTTP.
    func server(_ certificate: ServerCertificate?) -> HTTPServer.Configuration {
        // A parsed JSON value takes 24 to 200 bytes. Small objects and arrays take the most, but `BodyMemory` counts
        // each of them several times. So 64 bytes a value suffice.
        var server = HTTPServer.Configuration(
            host: listen.host, port: listen.port, connectionsMax: 1024 + RequestLimits().liveConnectionsMax,
            valueBytes: 64)
        server.certificate = certificate
        return server
    }

    /// The configuration of the API.
    /// - Parameters:
    ///   - signer: signs the URLs of files that are not on the remote yet.
    ///   - masterKey: the gateway's own master key, from the configuration or from the data directory.
    func api(signer: AddressSigner = AddressSigner(), masterKey: Secret) -> APIConfiguration {
        var limits = RequestLimits()
        limits.pageMax = pageMax
        limits.fileBytesMax = fileBytesMax
        var api = APIConfiguration(
            mode: remote == nil ? .standalone : .replica, version: Version.text,
            remote: remote.map { APIConfiguration.Remote(url: $0.url, applicationId: $0.applicationId) },
            accessKey: accessKey?.value,
            keys: ClientKeys(
                applicationId: localKeys.applicationId, clients: localKeys.clientKeys.mapValues(\.value),
                masterKey: masterKey.value,
                remoteMasterKey: remote?.masterKey?.value),
            allowedHosts: [listen.host] + allowedHosts, allowedOrigins: allowedOrigins,
            webDirectory: webDirectory,
            openAPIFile: openAPIFile.flatMap { FileManager.default.contents(atPath: $0) }.map { Array($0) },
            limits: limits)
        if let file = api.openAPIFile { api.openAPIJSON = { try OpenAPIDescription.json(of: file) } }
        api.keys.readOnlyMasterKey = localKeys.readOnlyMasterKey?.value
        api.keys.maintenanceKey = localKeys.maintenanceKey?.value
        api.keys.masterKeyNetworks = localKeys.masterKeyNetworks
        if remote == nil {
            api.dialect = compatibility.dialect
            api.fileExtensions = fileExtensions.isEmpty ? compatibility.fileExtensions : FileExtensions(fileExtensions)
            api.routeAllowList = routeAllowList.isEmpty ? nil : routeAllowList
            api.complexity = requestComplexity.reduce(compatibility.complexity) { $0.with($1.key, $1.value) }
        }
        api.denialDetails = showsErrorDetails ? .shownOnThisMachine : .hidden
        api.accounts = accounts
        api.refusesChosenIds = remote == nil && !allowsChosenIds
        api.signer = signer
        api.readyWhen = readyWhen
        api.owners = owners
        api.liveResume = liveResume
        api.idempotencyTTL = idempotencyTTL > .zero ? idempotencyTTL : nil
        return api
    }
}

extension Compatibility {
    fileprivate var fileExtensions: FileExtensions {
        switch self {
        case .seven: .all
        case .nine: .standard
        }
    }

    fileprivate var complexity: RequestComplexity {
        switch self {
        case .seven: .unbounded
        case .nine: .standard
        }
    }

    fileprivate var dialect: ParseDialect {
        switch self {
        case .seven: .seven
        case .nine: .nine
        }
    }
}

/// Free disk space.
enum FreeSpace {
    /// The bytes available to this user on the file system of a path; nil if unknown.
    static func bytes(at path: String) -> Int? {
        var figures = statvfs()
        guard statvfs(path, &figures) == 0 else { return nil }
        let bytes = UInt64(figures.f_bavail).multipliedReportingOverflow(by: UInt64(figures.f_frsize))
        return bytes.overflow ? Int.max : Int(clamping: bytes.partialValue)
    }
}
