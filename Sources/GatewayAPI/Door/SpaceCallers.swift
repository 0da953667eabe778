import ParseModel

/// The callers of a personal replica: the space of a user answers the requests of its user, the gateway's own data answers the others.
struct SpaceCallers: Callers {
    let spaces: any UserSpaces
    /// Bounds the requests that wait for the remote's word about a session.
    let waits: RemoteWaits
    /// The signatures of the addresses of files that are not on the remote yet.
    let addresses: SignedAddresses

    var readsSessionsOfUploads: Bool { true }

    /// - Throws: `APIError.masterKeyRequired` for a request that names a user without the master key; `APIError.forbidden` for a
    ///   wrong or expired signature.
    func caller(of claim: CallerClaim) throws -> CallerSearch {
        if claim.route.policy.sessions == .ofFile { return try callerOfFile(claim) }
        if let userId = claim.namedUser {
            guard claim.principal.isMaster else { throw APIError.masterKeyRequired }
            return .asking { [spaces] in .space(try await spaces.api(ofUser: userId), claim.principal) }
        }
        guard let token = claim.token else { return .known(.here(claim.principal)) }
        return search(token) { .space($0.api, .user($0.user)) }
    }

    /// A signed address gives a file of its user to each holder. Otherwise a file is looked for in the space of the session first. The
    /// name of a file on the remote is the right to read it, so the gateway answers if that space does not know the file.
    private func callerOfFile(_ claim: CallerClaim) throws -> CallerSearch {
        let name = FileName.joined(claim.path.dropFirst())
        do {
            if let grant = try addresses.grant(of: name, claim.parameters) {
                return .asking { [spaces] in .space(try await spaces.api(ofUser: grant.userId), .public) }
            }
        } catch  where claim.token != nil {
            // The session may still give the file.
        }
        guard let token = claim.token else { return .known(.here(claim.principal)) }
        let search = search(token) { place in
            place.api.hasFile(name, for: place.user) ? .space(place.api, .user(place.user)) : .here(claim.principal)
        }
        guard case .asking(let ask) = search else { return search }
        // Without a usable session, the file is answered as without a session.
        return .asking { (try? await ask()) ?? .here(claim.principal) }
    }

    private func search(
        _ token: String, _ caller: @escaping @Sendable (UserPlace) -> Caller
    ) -> CallerSearch {
        if let place = spaces.openPlace(of: token) { return .known(caller(place)) }
        return .asking { [spaces, waits] in caller(try await waits.hold { try await spaces.place(of: token) }) }
    }
}

/// The callers of the API of a user's space, whose requests come from the door of the replica.
struct CallersOfSpace: Callers {
    let user: SpaceUser

    func caller(of claim: CallerClaim) throws -> CallerSearch {
        .known(.here(claim.token == nil ? claim.principal : .user(user.signedIn)))
    }
}
