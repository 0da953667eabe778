import GatewayAPI

/// The name of a setting. Each source has its own spelling: `--pull-interval` on the command line, `TIDEGATE_PULL_INTERVAL` in
/// the environment, `pull-interval:` in the YAML file.
package enum ConfigurationKey: String, CaseIterable, Sendable {
    case listen
    case data
    case remote
    case remoteKind = "remote-kind"
    case appId = "app-id"
    case restKey = "rest-key"
    case masterKey = "master-key"
    case remoteToken = "remote-token"
    case remoteTokenFile = "remote-token-file"
    case remoteTokenCommand = "remote-token-command"
    case className = "class"
    case opField = "op-field"
    case localAppId = "local-app-id"
    case localRestKey = "local-rest-key"
    case localJavaScriptKey = "local-javascript-key"
    case localClientKey = "local-client-key"
    case localDotNETKey = "local-dotnet-key"
    case localMasterKey = "local-master-key"
    case localReadOnlyMasterKey = "local-read-only-master-key"
    case localMaintenanceKey = "local-maintenance-key"
    case localMasterKeyIPs = "local-master-key-ips"
    case web
    case pullInterval = "pull-interval"
    case pullOverlap = "pull-overlap"
    case auditInterval = "audit-interval"
    case recentAuditInterval = "recent-audit-interval"
    case recentAuditWindow = "recent-audit-window"
    case logLevel = "log-level"
    case accessKey = "access-key"
    case allowedHost = "allowed-host"
    case allowedOrigin = "allowed-origin"
    case synchronous
    case bodyBytesMax = "body-bytes-max"
    case fileBytesMax = "file-bytes-max"
    case fileDownloadBytesMax = "file-download-bytes-max"
    case fileCacheBytes = "file-cache-bytes"
    case pageMax = "page-max"
    case batchMax = "batch-max"
    case streamsMax = "streams-max"
    case classFieldsMax = "class-fields-max"
    case idempotencyTTL = "idempotency-ttl"
    case removalShareMax = "removal-share-max"
    case allowCustomObjectId = "allow-custom-object-id"
    case classObjectsMax = "class-objects-max"
    case diskFreeMin = "disk-free-min"
    case fileHosts = "file-hosts"
    case forwardWait = "forward-wait"
    case takeOver = "take-over"
    case people
    case usersMax = "users-max"
    case userIdleMax = "user-idle-max"
    case offlineSessionMax = "offline-session-max"
    case afterLogOut = "after-logout"
    case forgetAfter = "forget-after"
    case offlineLogIn = "offline-login"
    case sendAsMaster = "send-as-master"
    case sessionKeyFile = "session-key-file"
    case sessionLength = "session-length"
    case expireInactiveSessions = "expire-inactive-sessions"
    case extendSessionOnUse = "extend-session-on-use"
    case revokeSessionOnPasswordReset = "revoke-session-on-password-reset"
    case enforcePrivateUsers = "enforce-private-users"
    case accountLockoutThreshold = "account-lockout-threshold"
    case accountLockoutDuration = "account-lockout-duration"
    case passwordPattern = "password-pattern"
    case passwordForbidUsername = "password-forbid-username"
    case passwordMaxAge = "password-max-age"
    case passwordHistory = "password-history"
    case passwordMemoryKiB = "password-memory-kib"
    case passwordPasses = "password-passes"

    /// The key of the setting in the YAML file.
    package var name: String { rawValue }

    /// The option on the command line.
    package var option: String { "--" + rawValue }

    /// The environment variable.
    package var variable: String { "TIDEGATE_" + rawValue.uppercased().replacing("-", with: "_") }

    /// True if the setting accepts several values: repeated options, a YAML list, or values separated by commas.
    package var isList: Bool {
        switch self {
        case .className, .allowedHost, .allowedOrigin, .fileHosts, .localMasterKeyIPs: true
        default: false
        }
    }

    /// The setting whose name is most similar to a misspelled name; nil if every name differs by more than two letters.
    static func nearest(to name: String) -> ConfigurationKey? {
        let spelt = name.lowercased().filter { $0.isLetter }
        let distances = allCases.map { key in
            (key: key, distance: editDistance(Array(spelt), Array(key.name.filter { $0.isLetter })))
        }
        guard let best = distances.min(by: { $0.distance < $1.distance }), best.distance <= 2 else { return nil }
        return best.key
    }

    /// The Levenshtein distance of two words.
    private static func editDistance(_ a: [Character], _ b: [Character]) -> Int {
        var row = Array(0...b.count)
        for (i, letter) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in b.enumerated() {
                let substituted = diagonal + (letter == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(substituted, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[b.count]
    }
}

extension ConfigurationKey {
    /// The settings of the gateway's client keys.
    static let clientKeys: KeyValuePairs<ClientKind, ConfigurationKey> = [
        .rest: .localRestKey, .javaScript: .localJavaScriptKey, .client: .localClientKey, .dotNET: .localDotNETKey,
    ]
}
