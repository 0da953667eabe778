import GatewayAPI
import StoreService

// The table of all settings, in the order of the help: a group, and its rows.

/// The settings of the program on its machine.
package enum ProcessSettings: SettingGroup {
    package static let title = "Gateway"
    package static let settings: [Setting] = [
        .listen, .tlsCertificate, .tlsKey, .data, .diskFreeMin, .takeOver, .web, .readyWhen, .logLevel, .logFormat,
        .backupDir, .backupEvery,
        .backupKeep,
    ]
}

extension Setting {
    package static let listen = Setting(
        "listen", .text("host:port"), default: "\(ListenAddress.standard)", isCommon: true,
        "The address to listen on. An address other than loopback needs an access key.")
    package static let tlsCertificate = Setting(
        "tls-certificate", .text("path"),
        "A PEM file with the certificate for TLS, and those of its intermediate authorities. Needs tls-key and an access key. "
            + "The gateway reads a changed file again within a minute, and at SIGHUP.")
    package static let tlsKey = Setting(
        "tls-key", .text("path"), "A PEM file with the private key of the certificate, without a password.")
    package static let data = Setting(
        "data", .text("dir"), default: "~/.local/share/tidegate, on macOS ~/Library/Application Support/tidegate",
        isCommon: true, "The data directory, with the SQLite file.")
    package static let diskFreeMin = Setting(
        "disk-free-min", .integer("bytes", 0...1_099_511_627_776), \.diskFreeMin,
        "The minimum of free disk space. Pulls from the remote stop while less is free; 0 for no limit.")
    package static let takeOver = Setting(
        "take-over", .flag, \.takesOver,
        "Use a copied data directory. Set this once, and only if the original no longer runs.")
    package static let web = Setting(
        "web", .text("dir"), default: "the installed page", isCommon: true,
        "The directory of the web page, or none for a gateway without the page.")
    package static let readyWhen = Setting(
        "ready-when", .choice("state"), \.readyWhen,
        "The state from which GET /ready answers with 200: open, when the local file is open, or synced, when a replica has "
            + "also completed its first sync.")
    package static let logLevel = Setting(
        "log-level", .choice("level"), \.logLevel, isCommon: true,
        "The log level: trace, debug, info, notice, warning, error or critical.")
    package static let logFormat = Setting(
        "log-format", .choice("format"), \.logFormat,
        "The form of the log on standard error: text, or json for one JSON object a line.")
    package static let backupDir = Setting(
        "backup-dir", .text("dir"),
        "The directory for the backups that the gateway writes while it runs. Without it, no backups are written.")
    package static let backupEvery = Setting(
        "backup-every", .text("time"), default: "1d",
        "The time between two backups, such as 12h or 1d. At least one minute. Needs backup-dir.")
    package static let backupKeep = Setting(
        "backup-keep", .text("count"), default: "7",
        "The number of backups that stay. Older ones are removed after the next backup. Needs backup-dir.")
}

/// The settings of a replica: its remote, and the copy of its classes.
package enum RemoteSettings: SettingGroup {
    package static let title = "Remote"
    package static let settings: [Setting] = [
        .remote, .remoteKind, .remoteCA, .remoteLiveQueryURL, .appId, .restKey, .masterKey, .remoteToken,
        .remoteTokenFile,
        .remoteTokenCommand, .className, .pullInterval, .stallAlarm,
    ]
}

extension Setting {
    package static let remote = Setting(
        "remote", .text("url"), isCommon: true,
        "The URL of the remote, such as https://example.org/parse. Without it the gateway is standalone.")
    package static let remoteKind = Setting(
        "remote-kind", .text("kind"), default: "parse with --app-id, otherwise found at the first start",
        "The kind of the remote: parse, for a Parse Server or a standalone Tidegate, or datasync, for the tables of "
            + "Azure Mobile Apps or Community Datasync. The data directory keeps the kind.")
    package static let remoteCA = Setting(
        "remote-ca", .text("path"), default: "the authorities of the system",
        "A PEM file with the certificate authorities of the remote, or with its self-signed certificate. Only these are then "
            + "trusted for the remote. Without --remote, they count for the remote that is chosen on the page.")
    package static let remoteLiveQueryURL = Setting(
        "remote-livequery-url", .text("url"), default: "the URL of the remote",
        "The URL at which a Parse Server reports changes (LiveQuery), such as wss://live.example.org. With off, the "
            + "gateway learns of changes only by its pulls.")
    package static let appId = Setting(
        "app-id", .headerText("id"), isCommon: true,
        "The application id of the remote. A remote of the kind parse needs it.")
    package static let restKey = Setting(
        "rest-key", .secret(), isCommon: true, "The remote's REST key, if it requires one.")
    package static let masterKey = Setting(
        "master-key", .secret(), isCommon: true, "The remote's master key. Rarely needed.")
    package static let remoteToken = Setting(
        "remote-token", .secret("token"),
        "The user's token for a remote with tables. Prefer TIDEGATE_REMOTE_TOKEN, a file or a command, because other users of "
            + "the machine can see command lines.")
    package static let remoteTokenFile = Setting(
        "remote-token-file", .text("path"),
        "A file with the user's token. The gateway reads it again after the remote has refused the token.")
    package static let remoteTokenCommand = Setting(
        "remote-token-command", .text("command"),
        "A shell command that prints the user's token. It runs again after the remote has refused the token, at most once "
            + "a minute.")
    package static let className = Setting(
        "class", .classNames, \.classes, isCommon: true, "A class to sync.")
    package static let pullInterval = Setting(
        "pull-interval", .seconds(1...604_800), \.pullInterval, isCommon: true, "The interval between pulls.")
    package static let stallAlarm = Setting(
        "stall-alarm", .secondsOrNever(0...31_536_000), \.stallAlarm,
        "The time after which waiting changes and failing pulls are reported as stalled, if the remote answers; 0 for never."
    )
}

/// The settings for the clients of the gateway: who may call it, and what the Parse API allows.
package enum ClientSettings: SettingGroup {
    package static let title = "Clients"
    package static let settings: [Setting] = [
        .accessKey, .allowedHost, .allowedOrigin, .localAppId, .localRestKey, .localJavaScriptKey, .localClientKey,
        .localDotNETKey, .localMasterKey, .localReadOnlyMasterKey, .localMaintenanceKey, .localMasterKeyIPs, .pageMax,
        .idempotencyTTL, .liveResume, .allowCustomObjectId,
    ]
}

extension Setting {
    package static let accessKey = Setting(
        "access-key", .secret(), \.accessKey, isCommon: true,
        "The key that clients must send as X-Tidegate-Access-Key.")
    package static let allowedHost = Setting(
        "allowed-host", .hostNames("name"), \.allowedHosts, isCommon: true,
        "A further accepted value of the Host header. The names of loopback are always accepted.")
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
    package static let liveResume = Setting(
        "live-resume", .seconds(0...604_800), \.liveResume,
        "The time for which a client of a live query that was away gets the events that it has missed; 0 for none.")
    package static let allowCustomObjectId = Setting(
        "allow-custom-object-id", .flag, \.allowsChosenIds,
        "Let clients choose the objectId of new objects. The remote of a replica must accept chosen ids too.")

    /// The settings of the keys of clients.
    static let clientKeys: KeyValuePairs<ClientKind, Setting> = [
        .rest: .localRestKey, .javaScript: .localJavaScriptKey, .client: .localClientKey, .dotNET: .localDotNETKey,
    ]
}

/// The settings for the files of objects.
package enum FileSettings: SettingGroup {
    package static let title = "Files"
    package static let settings: [Setting] = [.fileBytesMax, .fileCacheBytes, .fileHosts]
}

extension Setting {
    package static let fileBytesMax = Setting(
        "file-bytes-max", .integer("bytes", 1024...10_737_418_240), \.fileBytesMax,
        "The maximum size of an uploaded file.")
    package static let fileCacheBytes = Setting(
        "file-cache-bytes", .integer("bytes", 0...1_099_511_627_776), \.fileCacheBytes,
        "The size of the cache for files of the remote. Least recently used files are evicted.")
    package static let fileHosts = Setting(
        "file-hosts", .hostNames("host"), \.fileHosts,
        "A host with a private address from which files may be downloaded, with or without a port.")
}

/// The settings for the users of a replica.
package enum ReplicaUserSettings: SettingGroup {
    package static let title = "Users of a replica"
    package static let settings: [Setting] = [
        .people, .usersMax, .offlineSessionMax, .afterLogOut, .forgetAfter, .offlineLogIn, .sendAsMaster,
        .sessionKeyFile,
    ]
}

extension Setting {
    package static let people = Setting(
        "people", .text("mode"), default: "personal for a Parse Server without --master-key, otherwise off",
        isCommon: true,
        "personal: each user of the remote who signs in works with data and a queue of its own, also offline. site: all "
            + "users share one file, with their rights; needs --master-key. off: requests with a session are refused.")
    package static let usersMax = Setting(
        "users-max", .integer("count", 1...1000), \.people.usersMax,
        "The maximum number of users with data on this machine. At most 1000.")
    package static let offlineSessionMax = Setting(
        "offline-session-max", .seconds(0...31_536_000), \.people.offlineSessionMax,
        "The time for which a session is valid at the gateway after the last contact with the remote.")
    package static let afterLogOut = Setting(
        "after-logout", .choice("choice"), \.people.afterLogOut,
        "push: the waiting changes of a session are sent after its log-out, and then the remote is told. keep: the remote is "
            + "told at once, and the changes wait for the next log-in of the user.")
    package static let forgetAfter = Setting(
        "forget-after", .secondsOrNever(0...315_360_000), \.people.forgetAfter,
        "The time without a log-in or request after which a user's data is removed from this machine, unless it has unsent "
            + "changes or open decisions; 0 for never.")
    package static let offlineLogIn = Setting(
        "offline-login", .flag, \.people.offlineLogIn, isCommon: true,
        "Let users log in with their password while the remote cannot be reached.")
    package static let sendAsMaster = Setting(
        "send-as-master", .flag, \.people.sendsAsMaster,
        "Send the changes of a user of a site replica with the remote's master key while the user has no session.")
    package static let sessionKeyFile = Setting(
        "session-key-file", .text("path"),
        default: "the credential tidegate-session-key of systemd, or ~/.config/tidegate/session-key",
        "The file with the key that encrypts session tokens. It is created for the first session.")
}

/// The settings for the users and sessions of a standalone gateway. The names and the defaults are those of Parse Server.
package enum LogInSettings: SettingGroup {
    package static let title = "Users and sessions of a standalone gateway"
    package static let settings: [Setting] = [
        .sessionLength, .extendSessionOnUse, .enforcePrivateUsers, .accountLockoutThreshold, .passwordPattern,
        .passwordForbidUsername,
    ]
}

extension Setting {
    package static let sessionLength = Setting(
        "session-length", .seconds(1...3_153_600_000), \.accounts.sessionLength,
        "The time from the opening of a session to its end.")
    package static let extendSessionOnUse = Setting(
        "extend-session-on-use", .flag, \.accounts.extendsSessionsOnUse,
        "A request in the second half of a session's time extends the session.")
    package static let enforcePrivateUsers = Setting(
        "enforce-private-users", .bool, \.accounts.keepsUsersPrivate,
        "false: the default ACL of a new user allows everybody to read.")
    package static let accountLockoutThreshold = Setting(
        "account-lockout-threshold", .lockout(0...1000), \.accounts.lockout,
        "The number of failed log-ins that lock a user out for five minutes; 0 for none. At most 1000.")
    package static let passwordPattern = Setting(
        "password-pattern", .regularExpression, \.accounts.passwordPolicy.pattern,
        "A regular expression that new passwords must match. Parse Server's passwordPolicy.validatorPattern.")
    package static let passwordForbidUsername = Setting(
        "password-forbid-username", .flag, \.accounts.passwordPolicy.forbidsUsername,
        "A password must not contain the user name.")
}

extension SettingType where Value == Lockout? {
    /// The duration of a lock-out. A longer one helps an attacker who wants to lock users out, a shorter one an
    /// attacker who guesses passwords.
    private static var duration: Duration { .seconds(300) }

    fileprivate static func lockout(_ range: ClosedRange<Int>) -> Self {
        Self(valueName: "count", form: .number) { given throws(ConfigurationError) in
            let threshold = try given.integer(in: range)
            return threshold > 0 ? Lockout(threshold: threshold, duration: duration) : nil
        } text: {
            String($0?.threshold ?? 0)
        }
    }
}

extension PasswordPolicy {
    fileprivate var forbidsUsername: Bool {
        get { !allowsUsername }
        set { allowsUsername = !newValue }
    }
}
