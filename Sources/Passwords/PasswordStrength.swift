/// The costs of an Argon2id hash. Higher costs make guessing slower, and each log-in too.
package struct PasswordStrength: Sendable, Hashable {
    /// The memory of one hash, in KiB.
    package var memoryKiB: Int
    /// The number of passes over the memory.
    package var passes: Int

    package init(memoryKiB: Int, passes: Int) {
        self.memoryKiB = memoryKiB
        self.passes = passes
    }

    /// The minimum that OWASP recommends (Password Storage Cheat Sheet): 19 MiB and two passes, with one lane.
    package static let standard = PasswordStrength(memoryKiB: 19 * 1024, passes: 2)
    /// The lowest costs that libsodium accepts. Only for tests.
    package static let weakest = PasswordStrength(memoryKiB: 8, passes: 1)

    package static let memoryKiBRange = 8...1_048_576
    package static let passesRange = 1...64
}
