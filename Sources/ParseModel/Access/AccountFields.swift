/// The fields of a user that only the remote of a replica can check.
package enum AccountFields {
    /// What a user signs in with, and whether the e-mail address is verified.
    package static let names: Set<String> = ["username", "email", "emailVerified", "password", "authData"]
}
