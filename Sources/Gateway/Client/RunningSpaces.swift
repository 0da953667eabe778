import GatewayAPI
import ParseModel

/// Exports and removes the data of users in a running replica, by its HTTP API.
package struct RunningSpaces: UserData {
    private let client: GatewayClient

    /// - Parameter client: a client with the master key.
    package init(_ client: GatewayClient) { self.client = client }

    package func export(of user: String) async throws -> UserExport {
        let answer = try await client.call(.get, "\(try await path(user))/export")
        guard let export = UserExport(answer) else { throw GatewayClientError.notAGateway(url: client.url) }
        return export
    }

    package func forget(_ user: String, exported: String?) async throws -> KnownUser {
        let answer = try await client.call(
            .delete, try await path(user) + (exported.map { "?exported=" + PercentCoding.encodedPathSegment($0) } ?? "")
        )
        return KnownUser(objectId: answer["objectId"]?.string ?? "", name: answer["username"]?.string)
    }

    /// The path of a user. It has the user's id, because logs of proxies must not learn the name.
    private func path(_ user: String) async throws -> String {
        let users = try await client.usersOfReplica().map {
            KnownUser(objectId: $0["objectId"]?.string ?? "", name: $0["username"]?.string)
        }
        let known = try KnownUser.found(user, among: users)?.objectId
        return "/sync/users/" + PercentCoding.encodedPathSegment(known ?? user)
    }
}
