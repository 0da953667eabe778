/// The settings of the program on its machine.
package enum ProcessSettings: SettingGroup {
    package static let title = "Gateway"
    package static let settings: [Setting] = [.listen, .data, .diskFreeMin, .takeOver, .web, .logLevel]
}

extension Setting {
    package static let listen = Setting(
        "listen", .text("host:port"), default: "\(ListenAddress.standard)", isCommon: true,
        "The address to listen on. An address other than loopback needs an access key.")
    package static let data = Setting(
        "data", .text("dir"), default: "~/.local/share/tidegate, on macOS ~/Library/Application Support/tidegate",
        isCommon: true, "The data directory, with the SQLite file.")
    package static let diskFreeMin = Setting(
        "disk-free-min", .integer("bytes", 0...1_099_511_627_776), \.diskFreeMin,
        "The free disk space below which pulls stop; 0 for no limit.")
    package static let takeOver = Setting(
        "take-over", .flag, \.takesOver,
        "Use a copied data directory. Set this once, and only if the original no longer runs.")
    package static let web = Setting(
        "web", .text("dir"), default: "the installed page", isCommon: true,
        "The directory of the web page, or none.")
    package static let logLevel = Setting(
        "log-level", .choice("level"), \.logLevel, isCommon: true,
        "The log level: trace, debug, info, notice, warning, error or critical.")
}
