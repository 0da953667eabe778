import ArgumentParser
import Gateway

/// The options for the users of a replica.
struct PeopleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "'personal': each user of the remote who signs in works with data and a queue of its own, also offline. "
                + "'site': all users share one file, with their rights; needs --master-key. 'off': requests with a session are refused. Default: personal for a Parse Server without --master-key, "
                + "otherwise off.", valueName: "mode"))
    var people: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The maximum number of users with data on this machine. Default: 200.", valueName: "count"))
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
        name: .customLong("after-logout"),
        help: ArgumentHelp(
            "'push' (default): the waiting changes of a session are sent after its log-out, and then the remote is told. "
                + "'keep': the remote is told at once, and the changes wait for the next log-in of the user.",
            valueName: "choice"))
    var afterLogOut: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The time without a log-in or request after which a user's data is removed, if nothing in it waits; 0 for never. "
                + "Default: 0.", valueName: "seconds"))
    var forgetAfter: String?

    @Flag(
        name: .customLong("offline-login"),
        help: "Let users log in with their password while the remote cannot be reached.")
    var offlineLogIn = false

    @Flag(
        help:
            "Send the changes of a user of a site replica with the remote's master key while the user has no session.")
    var sendAsMaster = false

    @Option(
        help: ArgumentHelp(
            "The file with the key that encrypts session tokens. It is created for the first session. Default: "
                + "~/.config/tidegate/session-key, or the credential tidegate-session-key of systemd.",
            valueName: "path"))
    var sessionKeyFile: String?

    /// The values on the command line, by setting; nil for an absent option.
    var arguments: [ConfigurationKey: String?] {
        [
            .people: people, .usersMax: usersMax, .userIdleMax: userIdleMax, .offlineSessionMax: offlineSessionMax,
            .sessionKeyFile: sessionKeyFile, .afterLogOut: afterLogOut, .forgetAfter: forgetAfter,
            .offlineLogIn: offlineLogIn ? "true" : nil, .sendAsMaster: sendAsMaster ? "true" : nil,
        ]
    }
}
