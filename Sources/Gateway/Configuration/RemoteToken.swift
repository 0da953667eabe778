/// The source of the token that identifies the user to the remote.
package enum RemoteToken: Sendable, Hashable {
    case fixed(Secret)
    /// The path of a file with the token.
    case file(String)
    /// A shell command that prints the token.
    case command(String)
}
