import ArgumentParser
import Gateway

/// The options for the users of a replica.
struct PeopleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "'personal': each user of the remote who signs in works with data and a queue of its own, also offline. "
                + "'off': requests with a session are refused. Default: off.", valueName: "mode"))
    var people: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The maximum number of users with data on this machine. Default: 20.", valueName: "count"))
    var usersMax: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The time without a request after which a user's data is closed. Default: 600.", valueName: "seconds"))
    var userIdleMax: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The time for which a session counts offline after the last contact with the remote. Default: 604800.",
            valueName: "seconds"))
    var offlineSessionMax: String?

    @Option(
        help: ArgumentHelp(
            "The file with the key that encrypts session tokens. It is created if it does not exist. Default: "
                + "~/.config/tidegate/session-key, or the credential tidegate-session-key of systemd.",
            valueName: "path"))
    var sessionKeyFile: String?

    /// The values on the command line, by setting; nil for an absent option.
    var arguments: [ConfigurationKey: String?] {
        [
            .people: people, .usersMax: usersMax, .userIdleMax: userIdleMax, .offlineSessionMax: offlineSessionMax,
            .sessionKeyFile: sessionKeyFile,
        ]
    }
}
