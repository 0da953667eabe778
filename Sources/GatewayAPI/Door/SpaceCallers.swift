import ParseModel

/// Finds the callers of requests to a personal replica. The space of a user answers that user's requests, and the
/// gateway's own data answers all others.
struct SpaceCallers: Callers {
    let spaces: any UserSpaces
    /// Limits the number of requests that wait until the remote has confirmed a session.
    let waits: RemoteWaits
    /// Checks the signed URLs of files that are not on the remote yet.
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

    /// A signed URL gives its file to everyone who has the URL. For any other URL, the space of the session's user is
    /// searched first. If the space has no such file, the gateway's own data answers: everyone who knows the name of a
    /// file on the remote may read it.
    private func callerOfFile(_ claim: CallerClaim) throws -> CallerSearch {
        let name = FileName.joined(claim.path.dropFirst())
        do {
            if let grant = try addresses.grant(of: name, claim.parameters) {
                return .asking { [spaces] in .space(try await spaces.api(ofUser: grant.userId), .public) }
            }
        } catch  where claim.token != nil {
            // The signature is wrong or has expired, but the session may give the right to read the file.
        }
        guard let token = claim.token else { return .known(.here(claim.principal)) }
        let search = search(token) { place in
            place.api.hasFile(name, for: place.user) ? .space(place.api, .user(place.user)) : .here(claim.principal)
        }
        guard case .asking(let ask) = search else { return search }
        // A session that cannot be used counts as no session.
        return .asking { (try? await ask()) ?? .here(claim.principal) }
    }

    private func search(
        _ token: String, _ caller: @escaping @Sendable (UserPlace) -> Caller
    ) -> CallerSearch {
        if let place = spaces.openPlace(of: token) { return .known(caller(place)) }
        return .asking { [spaces, waits] in caller(try await waits.hold { try await spaces.place(of: token) }) }
    }
}

/// Finds the callers of the requests that a personal replica passes on to the space of a user.
struct CallersOfSpace: Callers {
    let user: SpaceUser

    func caller(of claim: CallerClaim) throws -> CallerSearch {
        .known(.here(claim.token == nil ? claim.principal : .user(user.signedIn)))
    }
}
