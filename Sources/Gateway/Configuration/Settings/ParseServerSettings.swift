import GatewayAPI

/// The settings of a standalone gateway that change how its Parse API answers.
package enum ParseServerSettings: SettingGroup {
    package static let title = "Parse API of a standalone gateway"
    package static let settings: [Setting] = [.compatibility, .errorDetails]
}

extension Setting {
    package static let errorDetails = Setting(
        "error-details", .flag, \.showsErrorDetails,
        "Tell clients on this machine why a request is denied. Others read Permission denied, as on Parse Server 9, and the "
            + "log has the reason. A proxy on this machine hides where its clients are.")
    package static let compatibility = Setting(
        "compatibility", .choice("version"), \.compatibility, isCommon: true,
        "The major version of Parse Server whose answers the gateway gives where versions differ: 7 or 9.")
}
