import GatewayAPI

/// The settings of a standalone gateway that change how its Parse API answers.
package enum ParseServerSettings: SettingGroup {
    package static let title = "Parse API of a standalone gateway"
    package static let settings: [Setting] = [.compatibility]
}

extension Setting {
    package static let compatibility = Setting(
        "compatibility", .choice("version"), \.compatibility, isCommon: true,
        "The major version of Parse Server whose answers the gateway gives where versions differ: 7 or 9.")
}
