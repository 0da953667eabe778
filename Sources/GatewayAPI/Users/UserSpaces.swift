import Foundation
import HTTPServer
import ParseModel
import StoreService

/// The users of a replica, with their sessions, their waiting changes and their open decisions.
package protocol ReplicaUsers: SessionObserver, UserData {
    /// How the users are served: `personal` or `site`.
    var mode: String { get }

    /// Whether a session is open and needs no check at the remote. The session counts as used, so the next sync checks
    /// it.
    func isUsable(_ token: String) -> Bool

    /// The users who have data here or a session that has not ended, ordered by id. The call opens no user's space.
    /// - Throws: `StoreError` if a file cannot be read.
    func users() async throws -> [UserStatus]

    /// The number of users in `users()`, and the number of changed objects that wait for their author to log in. The
    /// call opens no user's space.
    func counts() async throws -> (users: Int, waitingForLogIn: Int)

    /// The user, and the time until which the user may work without the remote.
    /// - Parameter work: the user's waiting changes and decisions.
    func standing(of userId: String, _ work: UserWork) async throws -> UserStanding
}

/// The users of a personal replica. Each user who signs in has a space: a store, a sync engine and an API of its own.
package protocol UserSpaces: ReplicaUsers {
    /// The user of a session and the API of the user's space, if the space is open and the session is known to be valid.
    /// Does not wait.
    func openPlace(of token: String) -> UserPlace?

    /// The user of a session and the API of the user's space. Opens the space, and asks the remote about a session that
    /// the gateway does not know.
    /// - Throws: `ParseError` 209 (invalid session token) for a session that the remote has refused, and for one that was
    ///   logged out here. `APIError.remoteUnreachable` for an unknown session, and for one that was confirmed too long
    ///   ago, while the remote cannot be asked.
    func place(of token: String) async throws -> UserPlace

    /// The API of a user's space. Opens the space.
    /// - Throws: `StoreError.notFound` for a user without a space.
    func api(ofUser userId: String) async throws -> any SpaceAPI

    /// Whether only the gateway's own data knows an object by its id: the object was created without a session, and is not on the remote
    /// yet or has another id there.
    func isOnlyOfGateway(_ object: Pointer) throws -> Bool

    /// A file that was uploaded without a session and is not on the remote yet; nil for every other name.
    func unsentFile(_ name: String) throws -> UnsentFile?

    /// Adds a file of the remote that an open space knows to the files of the gateway itself.
    /// - Returns: false if no open space knows the file, or if it is not on the remote.
    func shareFile(_ name: String) async throws -> Bool
}

/// A file of the gateway's own store that is not on the remote yet.
package struct UnsentFile: Sendable {
    package let file: StoredFile
    /// The content, mapped into memory.
    package let content: Data

    package init(file: StoredFile, content: Data) { (self.file, self.content) = (file, content) }
}

/// The user of a known session, and the API of the user's space.
package struct UserPlace: Sendable {
    package let api: any SpaceAPI
    package let user: SignedInUser

    package init(api: any SpaceAPI, user: SignedInUser) { (self.api, self.user) = (api, user) }
}

/// The users of a site replica, who share the gateway's own store.
package protocol UsersOfSite: ReplicaUsers {
    /// The user of a session, if the session is known to be valid. Does not wait.
    func knownUser(of token: String) -> SignedInUser?

    /// The user of a session. Asks the remote about a session that the gateway does not know.
    /// - Throws: as `UserSpaces.place(of:)`.
    func user(of token: String) async throws -> SignedInUser

    /// - Parameter observer: called after a session has ended, from any thread.
    func onSessionEnd(_ observer: @escaping @Sendable () -> Void)

    /// The numbers of a user's waiting changes and decisions.
    func work(of userId: String) throws -> UserWork
}

/// The API of a user's space in a personal replica. It receives requests that the replica has already parsed and
/// checked.
package protocol SpaceAPI: Sendable {
    /// The sync engine of the space.
    var control: (any SyncControl)? { get }

    /// The live queries on the data of the space.
    var live: LiveQueries { get }

    /// Whether the space has a file. True also if the store cannot be read: the answer of the space then tells the error.
    func hasFile(_ name: String, for user: SignedInUser) -> Bool

    /// The sink for the body of an upload.
    func sink(for head: HTTPServerRequest) -> any HTTPBodySink

    func answer(_ request: RoutedRequest, _ exchange: Exchange, as principal: Principal) -> HTTPReply

    func answerUpload(_ exchange: Exchange, as principal: Principal) throws -> HTTPReply
}

/// The user whose space an API serves.
package struct SpaceUser: Sendable {
    package let objectId: String
    /// The fields of the user as the remote has shown them at the last confirmation of a session.
    package let fields: @Sendable () throws -> JSONObject

    package init(objectId: String, fields: @escaping @Sendable () throws -> JSONObject) {
        (self.objectId, self.fields) = (objectId, fields)
    }

    package var signedIn: SignedInUser { SignedInUser(objectId: objectId, roles: [], sessionId: "") }
}
