import GatewayAPI
import ParseModel

/// The data of users in a running replica, by its HTTP API.
package struct RunningSpaces: UserData {
    private let client: GatewayClient

    /// - Parameter client: a client with the master key.
    package init(_ client: GatewayClient) { self.client = client }

    package func export(of user: String) async throws -> UserExport {
        let answer = try await client.call(.get, "\(Self.path(user))/export")
        guard let export = UserExport(answer) else { throw GatewayClientError.notAGateway(url: client.url) }
        return export
    }

    package func forget(_ user: String, exported: String?) async throws -> KnownUser {
        let answer = try await client.call(
            .delete, Self.path(user) + (exported.map { "?exported=" + PercentCoding.encodedPathSegment($0) } ?? ""))
        return KnownUser(objectId: answer["objectId"]?.string ?? "", name: answer["username"]?.string)
    }

    private static func path(_ user: String) -> String { "/sync/users/" + PercentCoding.encodedPathSegment(user) }
}
