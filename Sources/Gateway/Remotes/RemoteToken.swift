import RemoteHTTP

/// The source of the token that identifies the user to the remote.
package enum RemoteToken: Sendable, Hashable {
    case fixed(Secret)
    /// The path of a file with the token.
    case file(String)
    /// A shell command that prints the token.
    case command(String)

    var source: any TokenSource {
        switch self {
        case .fixed(let token): FixedToken(token.value)
        case .file(let path): TokenReader(.file(path))
        case .command(let command): TokenReader(.command(command))
        }
    }
}
