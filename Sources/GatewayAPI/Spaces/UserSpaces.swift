import HTTPServer
import ParseModel

/// Where the requests of a user are answered.
package enum UserPlace: Sendable {
    /// In a personal replica: by the API of the user's space.
    case space(any SpaceAPI)
    /// In a site replica: by the gateway's own API, with the rights of the user.
    case here(SignedInUser)
}

/// The users of a replica. In a personal replica, each user who signs in has a space: a store, a sync engine and an API of its own. In a
/// site replica, all users share the gateway's own.
package protocol UserSpaces: SessionObserver, UserData, SpaceOverview {
    /// The place of a session's user, if it needs no work and the session is known to be valid. Does not wait.
    func openPlace(of token: String) -> UserPlace?

    /// Whether a session is open and counts without another look at the remote. The session counts as used, so the next sync confirms it.
    func isUsable(_ token: String) -> Bool

    /// Whether only the gateway's own data knows an object by its id: the object was created without a session, and is not on the remote
    /// yet or has another id there.
    func isOnlyOfGateway(_ object: Pointer) throws -> Bool

    /// Whether a file was uploaded without a session, and is not on the remote yet.
    func isOnlyOfGateway(_ file: FileReference) throws -> Bool

    /// Adds a file of the remote that an open space knows to the files of the gateway itself.
    /// - Returns: false if no open space knows the file, or if it is not on the remote.
    func shareFile(_ name: String) async throws -> Bool

    /// The place of a session's user. Opens the user's space, and asks the remote about a session that is not known.
    /// - Throws: `ParseError` 209 (invalid session token) for a session that the remote has refused, and for one that was logged out
    ///   here. `APIError.remoteUnreachable` for an unknown session, and for one that was confirmed too long ago, while the remote
    ///   cannot be asked.
    func place(of token: String) async throws -> UserPlace
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

/// The defaults for users who share the gateway's own data.
extension UserSpaces {
    package func isOnlyOfGateway(_ object: Pointer) throws -> Bool { false }
    package func isOnlyOfGateway(_ file: FileReference) throws -> Bool { false }
}
