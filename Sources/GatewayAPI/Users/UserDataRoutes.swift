import HTTPServer
import ParseModel

/// The routes with which the person who runs a replica exports and removes the data of a user.
struct UserDataRoutes: Sendable {
    /// The data of users; nil if the gateway keeps none, and in the space of one user.
    let data: (any UserData)?
    let responses: ResponseBuilder

    var routes: [Route] {
        [
            route(.get, "/sync/users/{userId}/export", "exportUser") { user, _, data in
                responses.json(try await data.export(of: user).json)
            },
            route(.delete, "/sync/users/{userId}", "forgetUser") { user, request, data in
                let exported = request.parse.parameters.text("exported")
                return responses.json(try await data.forget(user, exported: exported).json)
            },
        ]
    }

    private func route(
        _ method: RequestMethod, _ pattern: String, _ name: String,
        _ answer: @escaping @Sendable (String, RoutedRequest, any UserData) async throws -> HTTPServerResponse
    ) -> Route {
        Route(method, pattern, name, .ownMasterOnly.with { $0.hidesParameters = true }) { request in
            guard let data else {
                throw ParseError(
                    .operationForbidden,
                    "This gateway keeps no data of users: it is standalone, or runs with --people off.")
            }
            return .later { try await answer(request.parameters[0], request, data) }
        }
    }
}
