import ParseModel
import StoreService

/// Exports and removes the data that a replica keeps about the users of its remote, for the person who runs the
/// gateway.
package protocol UserData: Sendable {
    /// The data of a user that exists only on this machine: unsent changes, open conflicts, removals that wait for a
    /// confirmation, and files that are not on the remote.
    /// - Parameter user: the id of the user, or the name if no user has the id.
    /// - Throws: `StoreError.notFound` for an unknown user.
    func export(of user: String) async throws -> UserExport

    /// Removes the sessions and the password verifier of a user. A personal replica also removes the user's space, a
    /// site replica the user's waiting changes.
    /// - Parameters:
    ///   - user: the id of the user, or the name if no user has the id.
    ///   - exported: the digest of an export that is stored elsewhere; nil for none.
    /// - Returns: the user whose data is removed.
    /// - Throws: `StoreError.notFound` for an unknown user. `StoreError.notPossible` if the user has unsent data that
    ///   the export does not contain.
    func forget(_ user: String, exported: String?) async throws -> KnownUser
}

/// A user of the remote who has signed in to a replica.
package struct KnownUser: Sendable, Hashable {
    package let objectId: String
    /// The user name; nil if the remote has not shown it.
    package let name: String?

    package init(objectId: String, name: String?) { (self.objectId, self.name) = (objectId, name) }

    /// Finds a user.
    /// - Parameter text: the id of the user, or the name if no user has the id.
    /// - Throws: `StoreError.notFound` for an unknown user; `StoreError.notPossible` if several users have the name.
    package init(_ text: String, in people: any PeopleStore) throws {
        let users = try people.userIds().map { id in
            KnownUser(objectId: id, name: try people.user(id)?["username"]?.string)
        }
        guard let user = try Self.found(text, among: users) else {
            throw StoreError.notFound(what: "the user \(text) among those who have signed in here")
        }
        self = user
    }

    /// Finds a user.
    /// - Parameter text: the id of the user, or the name if no user has the id.
    /// - Returns: nil if there is no such user.
    /// - Throws: `StoreError.notPossible` if several users have the name: the remote has renamed one since the last log-in.
    package static func found(_ text: String, among users: [KnownUser]) throws -> KnownUser? {
        if let user = users.first(where: { $0.objectId == text }) { return user }
        let named = users.filter { $0.name == text }
        guard named.count <= 1 else {
            let ids = named.map(\.objectId).joined(separator: ", ")
            throw StoreError.notPossible(reason: "several users were named \(text) here: name one by the id (\(ids))")
        }
        return named.first
    }

    /// The user as JSON: `{"objectId":…,"username":…}`, without `username` if the name is unknown.
    package var json: JSONObject {
        var json: JSONObject = ["objectId": .string(objectId)]
        json["username"] = name.map(JSONValue.string)
        return json
    }
}
