import ParseModel

/// The callers of a gateway without users: only keys count. A replica forwards the requests with a session, or refuses them.
struct KeyCallers: Callers {
    func caller(of claim: CallerClaim) throws -> CallerSearch {
        try claim.checkNamesNobody()
        return .known(.here(claim.principal))
    }
}
