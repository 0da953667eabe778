import Foundation
import GatewayAPI
import HTTPServer
import Passwords
import StoreService
import SyncEngine

/// Derives the configurations of the store, the sync engine, the server and the API.
extension GatewayConfiguration {
    /// - Parameter subject: the user whom the remote's token names; nil if unknown.
    func store(subject: String? = nil, onLocalWrite: @escaping @Sendable () -> Void) -> StoreSettings {
        let identity = StoreIdentity(
            remote: remote.map {
                StoreIdentity.Remote(
                    kind: $0.kind?.rawValue ?? StoreIdentity.Remote.kindOfEarlierFiles, url: $0.url,
                    applicationId: $0.applicationId, subject: subject)
            })
        var store = StoreSettings(directory: dataDirectory, identity: identity)
        store.synchronous = synchronous == .full ? .full : .normal
        store.takesOver = takesOver
        store.sharedDirectory = sharedDirectory
        store.isSite = people.mode == .site
        store.seesEverything = remote?.masterKey != nil
        store.keepsRemoteFiles = people.mode == .personal && sharedDirectory == nil
        store.allowsChosenIds = allowsChosenIds
        store.classFieldsMax = classFieldsMax
        store.onLocalWrite = onLocalWrite
        return store
    }

    /// Whether the page needs the session of the owner: in a replica with users, operating is otherwise for the master key. The link is
    /// sent over plain HTTP, so the gateway must listen on this machine alone.
    var offersOwnerSessions: Bool {
        remote != nil && people.mode != .off && listen.isLoopback && webDirectory != nil
    }

    var syncOptions: SyncOptions {
        var options = SyncOptions()
        options.interval = pullInterval
        options.overlap = pullOverlap
        options.auditInterval = auditInterval
        options.recentAuditInterval = recentAuditInterval
        options.recentAuditWindow = recentAuditWindow
        options.removalShareMax = removalShareMax
        options.scrubBounds = scrubBounds
        options.fieldCanariesMax = fieldCanariesMax
        options.classObjectsMax = classObjectsMax
        options.diskFreeMin = diskFreeMin
        options.freeBytes = { [dataDirectory] in FreeSpace.bytes(at: dataDirectory) }
        return options
    }

    var server: HTTPServer.Configuration {
        // A parsed value takes 24 to 200 bytes. Small objects and arrays take the most. Each of them counts several times.
        HTTPServer.Configuration(host: listen.host, port: listen.port, bodyBytesMax: bodyBytesMax, valueBytes: 64)
    }

    /// The configuration of the API.
    /// - Parameters:
    ///   - signer: signs addresses of users' files.
    ///   - masterKey: the gateway's own master key, from the configuration or from the data directory.
    ///   - user: the user whose space the API serves; nil for the API of everybody.
    ///   - storeId: the unique id of the store.
    func api(
        signer: AddressSigner = AddressSigner(), masterKey: Secret, user: SpaceUser? = nil, storeId: String = ""
    ) -> APIConfiguration {
        var limits = RequestLimits()
        limits.batchMax = batchMax
        limits.pageMax = pageMax
        limits.streamsMax = streamsMax
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
        api.keys.readOnlyMasterKey = localKeys.readOnlyMasterKey?.value
        api.keys.maintenanceKey = localKeys.maintenanceKey?.value
        api.keys.masterKeyNetworks = localKeys.masterKeyNetworks
        api.accounts = accounts
        api.user = user
        api.isSite = people.mode == .site
        api.refusesChosenIds = remote == nil && !allowsChosenIds
        api.storeId = storeId
        api.signer = signer
        api.owners = owners
        api.idempotencyTTL = idempotencyTTL > .zero ? idempotencyTTL : nil
        return api
    }
}
