import GatewayAPI

/// The settings for the clients of the gateway: who may call it, and what the Parse API allows.
package enum ClientSettings: SettingGroup {
    package static let title = "Clients"
    package static let settings: [Setting] = [
        .accessKey, .allowedHost, .allowedOrigin, .localAppId, .localRestKey, .localJavaScriptKey, .localClientKey,
        .localDotNETKey, .localMasterKey, .localReadOnlyMasterKey, .localMaintenanceKey, .localMasterKeyIPs, .pageMax,
        .idempotencyTTL, .allowCustomObjectId,
    ]
}

extension Setting {
    package static let accessKey = Setting(
        "access-key", .secret(), \.accessKey, isCommon: true,
        "The key that clients must send as X-Tidegate-Access-Key.")
    package static let allowedHost = Setting(
        "allowed-host", .hostNames("name"), \.allowedHosts, isCommon: true,
        "An additional accepted Host header. Those of loopback are always accepted.")
    package static let allowedOrigin = Setting(
        "allowed-origin", .webOrigins, \.allowedOrigins, isCommon: true,
        "A web origin whose pages may call the gateway.")
    package static let localAppId = Setting(
        "local-app-id", .headerText("id"), \.localKeys.applicationId, default: "any",
        "The application id that Parse clients must send.")
    package static let localRestKey = Setting(
        "local-rest-key", .secret(), \.localKeys.clientKeys[.rest], default: "any",
        "The key that clients must send as their REST key. If it is the only one of the four keys of clients, clients may "
            + "also send it as their JavaScript, client or .NET key.")
    package static let localJavaScriptKey = Setting(
        "local-javascript-key", .secret(), \.localKeys.clientKeys[.javaScript], default: "any",
        "The key that clients of the JavaScript SDK must send. If one of the four keys of clients is set, each client needs "
            + "the key of its kind.")
    package static let localClientKey = Setting(
        "local-client-key", .secret(), \.localKeys.clientKeys[.client], default: "any",
        "The key that clients of the app SDKs (Swift, Objective-C, Android, Flutter) must send.")
    package static let localDotNETKey = Setting(
        "local-dotnet-key", .secret(), \.localKeys.clientKeys[.dotNET], default: "any",
        "The key that clients of the .NET SDK must send.")
    package static let localMasterKey = Setting(
        "local-master-key", .secret(), default: "the content of the file master-key in the data directory",
        "The gateway's own master key. The file is created at the first start.")
    package static let localReadOnlyMasterKey = Setting(
        "local-read-only-master-key", .secret(), "A key that reads like the gateway's master key and cannot write.")
    package static let localMaintenanceKey = Setting(
        "local-maintenance-key", .secret(), "A key that reads and writes all objects, for imports.")
    package static let localMasterKeyIPs = Setting(
        "local-master-key-ips", .networks, \.localKeys.masterKeyNetworks, default: "only loopback",
        "An address or a network, such as 10.0.0.0/8, whose clients may use the gateway's master key, read-only master key "
            + "and maintenance key. Parse Server's masterKeyIps.")
    package static let pageMax = Setting(
        "page-max", .integer("count", 1...1_000_000), \.pageMax,
        "The maximum number of objects in a list response. A larger limit is lowered to it. Parse Server's maxLimit.")
    package static let idempotencyTTL = Setting(
        "idempotency-ttl", .seconds(0...604_800), \.idempotencyTTL,
        "The time during which a create or update with a repeated X-Parse-Request-Id is refused with code 159; 0 to accept "
            + "all. If the feature is on, Parse Server's default is 300.")
    package static let allowCustomObjectId = Setting(
        "allow-custom-object-id", .flag, \.allowsChosenIds,
        "Let clients choose the objectId of new objects. The remote of a replica must accept chosen ids too.")

    /// The settings of the keys of clients.
    static let clientKeys: KeyValuePairs<ClientKind, Setting> = [
        .rest: .localRestKey, .javaScript: .localJavaScriptKey, .client: .localClientKey, .dotNET: .localDotNETKey,
    ]
}
