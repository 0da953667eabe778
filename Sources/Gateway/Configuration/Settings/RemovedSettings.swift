/// The settings of version 0.1 that became constants. If a source still gives one, a warning states the constant. The
/// next version removes this table, and each name becomes an error.
package enum RemovedSettings: SettingGroup {
    package static let title = "Removed"
    package static let settings: [Setting] = [
        // Parse Server sets `updatedAt` at most a few seconds before it commits a write. The audits find writes that
        // are committed later.
        constant("pull-overlap", "each pull overlaps the previous one by 10 seconds"),
        constant("audit-interval", "a full audit runs once a day, and by POST /sync?audit=true"),
        constant("recent-audit-interval", "the recent audit runs every 5 minutes"),
        constant("recent-audit-window", "the recent audit compares the rows of the last hour"),
        // Half of a class that vanishes at once is more often an error of the remote than a deletion.
        constant("removal-share-max", "the removal of more than half of a class waits for a confirmation"),
        // 10,000,000 objects are the number that the tests and the benchmarks cover. `disk-free-min` protects a small
        // disk.
        constant("class-objects-max", "a class has at most 10000000 objects; its pulls can keep a part of it"),
        constant("forward-wait", "a call to the remote waits at most 10 seconds for earlier writes"),
        constant("op-field", "set the option opField of the class by PUT /sync/classes/NAME or on the page"),
        // No acknowledged write may be lost, and writes that arrive together share one commit.
        constant("synchronous", "an acknowledged write is on the disk (full)"),
        // MongoDB stores no object above 16 MB, and Parse Server's default is the same limit.
        constant("body-bytes-max", "a request body has at most 20971520 bytes"),
        constant("file-download-bytes-max", "a file from the remote has at most 1073741824 bytes"),
        constant("batch-max", "a batch has at most 1000 operations"),
        constant("streams-max", "at most 512 streams of changes are open, half of the server's connections"),
        constant("class-fields-max", "local writes give a class at most 1000 fields"),
        constant("user-idle-max", "the data of a user without waiting work closes after 10 minutes without a request"),
        constant("expire-inactive-sessions", "a session ends after --session-length, which may be a hundred years"),
        constant("revoke-session-on-password-reset", "a changed password ends the user's sessions"),
        constant("account-lockout-duration", "a lock-out takes 5 minutes"),
        // NIST SP 800-63B advises against forced changes of passwords, because they lead to weaker passwords. A history
        // of passwords is useful only together with forced changes.
        constant("password-max-age", "a password has no age limit"),
        constant("password-history", "a new password may be a former one"),
        // OWASP recommends these values for Argon2id. A stored hash of another strength is replaced at the user's next
        // log-in.
        constant("password-memory-kib", "a password hash takes 19456 KiB"),
        constant("password-passes", "a password hash takes 2 passes"),
    ]

    private static func constant(_ name: String, _ text: String) -> Setting { Setting(name, .removed, text) }
}

extension SettingType where Value == String? {
    fileprivate static var removed: Self {
        Self(valueName: "value", form: .number) { given throws(ConfigurationError) in given.text }
    }
}
