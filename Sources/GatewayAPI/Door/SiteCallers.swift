import ParseModel

/// The callers of a site replica: the gateway answers each user from its own data, with the user's rights.
struct SiteCallers: Callers {
    let users: any UsersOfSite
    /// Bounds the requests that wait for the remote's word about a session.
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
