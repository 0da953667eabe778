import HTTPServer
import ParseModel
import StoreService

/// The parts of `/sync` that concern all users of a replica with spaces.
extension SyncRoutes {
    var users: [Route] {
        [
            route(.get, "/sync/users", "listUsersOfReplica", RoutePolicy(access: .masterOnly, isParse: false)) { _, _ in
                guard let overview else {
                    throw ParseError(.operationForbidden, "This gateway has no data of single users.")
                }
                return responses.results(try await overview.users().map(\.json))
            }
        ]
    }

    /// The entries of a list: those of this space, and for the local master key in the gateway's own space those of all users.
    /// - Parameter mayHaveEntries: whether the space of a user may have entries. Other spaces are not opened.
    func entries(
        _ request: RoutedRequest, _ control: any SyncControl, where mayHaveEntries: (UserStatus) -> Bool,
        _ read: (any SyncControl) async throws -> [JSONObject]
    ) async throws -> HTTPServerResponse {
        var all = try await read(control)
        if request.principal.isMaster, let overview {
            all += try await overview.entries(where: mayHaveEntries, read)
        }
        return responses.results(all)
    }

    /// The members of `GET /sync` that concern users.
    /// - Parameters:
    ///   - report: the sync state of this space.
    ///   - principal: who asks.
    func peopleMembers(_ report: SyncReport, for principal: Principal) async throws -> JSONObject {
        guard let spaces else { return [:] }
        if let user {
            return ["user": .object(try await spaces.standing(of: user.objectId, UserWork(report.figures)).json)]
        }
        if let user = principal.user, let work = try spaces.sharedWork(of: user.objectId) {
            return [
                "user": .object(try await spaces.standing(of: user.objectId, work).json),
                "pending": .int(work.pending), "rejections": .int(work.rejections), "conflicts": .int(work.conflicts),
            ]
        }
        let (users, waiting) = try await spaces.counts()
        return ["people": ["mode": .string(spaces.mode), "users": .int(users), "waitingForLogIn": .int(waiting)]]
    }

    /// The users of the replica; nil in the space of one user.
    private var overview: (any SpaceOverview)? { user == nil ? spaces : nil }
}
