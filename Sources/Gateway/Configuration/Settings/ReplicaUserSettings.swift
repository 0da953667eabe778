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
        "The time for which a session counts after the last contact with the remote.")
    package static let afterLogOut = Setting(
        "after-logout", .choice("choice"), \.people.afterLogOut,
        "push: the waiting changes of a session are sent after its log-out, and then the remote is told. keep: the remote is "
            + "told at once, and the changes wait for the next log-in of the user.")
    package static let forgetAfter = Setting(
        "forget-after", .secondsOrNever(0...315_360_000), \.people.forgetAfter,
        "The time without a log-in or request after which a user's data is removed from this machine, if nothing in it "
            + "waits; 0 for never.")
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
