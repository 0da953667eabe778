/// The settings of a replica: its remote, and the copy of its classes.
package enum RemoteSettings: SettingGroup {
    package static let title = "Remote"
    package static let settings: [Setting] = [
        .remote, .remoteKind, .appId, .restKey, .masterKey, .remoteToken, .remoteTokenFile, .remoteTokenCommand,
        .className, .pullInterval,
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
    package static let appId = Setting(
        "app-id", .headerText("id"), isCommon: true,
        "The application id of the remote. A remote of the kind parse needs it.")
    package static let restKey = Setting(
        "rest-key", .secret(), isCommon: true, "The remote's REST key, if it requires one.")
    package static let masterKey = Setting(
        "master-key", .secret(), isCommon: true, "The remote's master key. Rarely needed.")
    package static let remoteToken = Setting(
        "remote-token", .secret("token"),
        "The user's token for a remote of tables. Better: TIDEGATE_REMOTE_TOKEN, a file or a command.")
    package static let remoteTokenFile = Setting(
        "remote-token-file", .text("path"), "A file with the user's token. It is read again after a refusal.")
    package static let remoteTokenCommand = Setting(
        "remote-token-command", .text("command"),
        "A shell command that prints the user's token. It runs again after a refusal, at most once a minute.")
    package static let className = Setting(
        "class", .classNames, \.classes, isCommon: true, "A class to sync.")
    package static let pullInterval = Setting(
        "pull-interval", .seconds(1...604_800), \.pullInterval, isCommon: true, "The interval between pulls.")
}
