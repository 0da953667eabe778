import GatewayAPI
import ParseModel

/// The lives of objects of a running gateway, by its HTTP API.
package struct RunningLives: Sendable {
    private let client: GatewayClient

    package init(_ client: GatewayClient) { self.client = client }

    /// The answer to `GET /classes/:class/:id?_why=true`.
    /// - Parameter user: the id or the name of a user of a personal replica, whose data is read; nil for the gateway's own
    ///   data. It needs the master key.
    /// - Throws: `GatewayClientError`; `ConfigurationError` if the remote has answered instead of the gateway.
    package func life(of className: String, _ objectId: String, user: String?) async throws -> JSONObject {
        var path = "/classes/\(Self.escaped(className))/\(Self.escaped(objectId))?_why=true"
        if let user {
            let users = try await client.usersOfReplica().map {
                KnownUser(objectId: $0["objectId"]?.string ?? "", name: $0["username"]?.string)
            }
            path += "&user=" + Self.escaped(try KnownUser.found(user, among: users)?.objectId ?? user)
        }
        let life = try await client.call(.get, path)
        guard life["lines"]?.array != nil else {
            throw ConfigurationError(
                "the remote answers requests about \(className), so the gateway keeps nothing of it")
        }
        return life
    }

    private static func escaped(_ text: String) -> String { PercentCoding.encodedPathSegment(text) }
}
