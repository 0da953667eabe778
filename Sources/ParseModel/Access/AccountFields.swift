/// The fields of a user that a replica cannot check and only the remote can, such as `username` and `password`.
package enum AccountFields {
    /// What a user signs in with, and whether the e-mail address is verified.
    package static let names: Set<String> = ["username", "email", "emailVerified", "password", "authData"]
}
