import HTTPServer

/// The spaces of a replica's users: each user who signs in has a store, a sync engine and an API of its own.
package protocol UserSpaces: SessionObserver, UserData, SpaceOverview {
    /// The API of the space of a session's user, if the space is open and the session is known to be valid. Does not wait.
    func openAPI(of token: String) -> (any SpaceAPI)?

    /// Whether a session is open and counts without another look at the remote.
    func isUsable(_ token: String) -> Bool

    /// Adds a file of the remote that an open space knows to the files of the gateway itself.
    /// - Returns: false if no open space knows the file, or if it is not on the remote.
    func shareFile(_ name: String) async throws -> Bool

    /// The API of the space of a session's user. Opens the space, and asks the remote about a session that is not known.
    /// - Throws: `ParseError` 209 (invalid session token) for a session that the remote has refused, and for one that was logged out
    ///   here. `APIError.remoteUnreachable` for an unknown session, and for one that was confirmed too long ago, while the remote
    ///   cannot be asked.
    func api(of token: String) async throws -> any SpaceAPI
}

/// The API of a user's space.
package protocol SpaceAPI: Sendable {
    /// The sync engine of the space.
    var control: (any SyncControl)? { get }

    /// The reply of this API, whichever session the request carries.
    func handleHere(_ request: HTTPServerRequest) -> HTTPReply

    /// Where the body of a request is stored, as in `HTTPHandler`.
    func bodyPlace(for head: HTTPServerRequest) -> HTTPBodyPlace
}
