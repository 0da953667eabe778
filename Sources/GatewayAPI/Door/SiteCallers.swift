import ParseModel

/// Finds the callers of requests to a site replica, in which all users share the gateway's data. Each user's rights
/// apply.
struct SiteCallers: Callers {
    let users: any UsersOfSite
    /// Limits the number of requests that wait until the remote has confirmed a session.
    let waits: RemoteWaits

    var readsSessionsOfUploads: Bool { true }

    func caller(of claim: CallerClaim) throws -> CallerSearch {
        if claim.namedUser != nil {
            guard claim.principal.isMaster else { throw APIError.masterKeyRequired }
            throw ParseError(
                .invalidQuery,
                "Invalid parameter for query: user. All users of this gateway share one file: its lists name the user of each entry."
            )
        }
        guard let token = claim.token else { return .known(.here(claim.principal)) }
        if let user = users.knownUser(of: token) { return .known(.here(.user(user))) }
        return .asking { [users, waits] in
            do {
                return .here(.user(try await waits.hold { try await users.user(of: token) }))
            } catch  where claim.route.policy.sessions == .ofFile {
                return .here(claim.principal)
            }
        }
    }
}
