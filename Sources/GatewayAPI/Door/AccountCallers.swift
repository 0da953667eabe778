import ParseModel

/// The callers of a standalone gateway, which has users and sessions of its own.
struct AccountCallers: Callers {
    let sessions: Sessions

    /// - Throws: `ParseError` 209 (invalid session token) for an unknown or expired token.
    func caller(of claim: CallerClaim) throws -> CallerSearch {
        try claim.checkNamesNobody()
        guard let token = claim.token, claim.route.policy.access != .open else { return .known(.here(claim.principal)) }
        return .known(.here(.user(try sessions.session(of: token).user)))
    }
}
