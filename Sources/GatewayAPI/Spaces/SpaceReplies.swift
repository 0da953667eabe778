import HTTPServer
import HTTPTypes
import HeaderNames
import ParseModel

/// Hands the requests of users on to the APIs of their spaces.
struct SpaceReplies: Sendable {
    let spaces: any UserSpaces
    /// Bounds the requests that wait for the remote's word about a session.
    let waits: RemoteWaits
    let addresses: SignedAddresses

    /// The session token in the headers of a request of a user; nil without one, with the master key, which takes precedence, and for a
    /// signed address, which gives a file to each holder.
    func token(in request: HTTPServerRequest) -> String? {
        let headers = request.headers
        guard headers[.parseMasterKey] == nil, let token = headers[.parseSessionToken], !token.isEmpty,
            !addresses.areUsed(by: request)
        else { return nil }
        return token
    }

    /// The session token of a parsed request to a route that uses sessions. Some SDKs send it in the body.
    func token(of request: RoutedRequest) -> String? {
        let policy = request.route.policy
        guard request.principal == .public, policy.access != .open, !policy.ignoresSession else { return nil }
        return request.parse.credentials.sessionToken
    }

    /// The reply of a user's space to a request of the local master key.
    /// - Parameter otherwise: makes the reply if the user has no space.
    func reply(
        to request: HTTPServerRequest, ofUser userId: String,
        otherwise: @escaping @Sendable (_ error: any Error) -> HTTPReply
    ) -> HTTPReply {
        .later { [spaces] in
            do {
                let api = try await spaces.api(ofUser: userId)
                return await api.handleHere(request).response()
            } catch {
                return await otherwise(error).response()
            }
        }
    }

    /// The reply of the user's place.
    /// - Parameters:
    ///   - here: makes the reply of the gateway's own API, with the rights of the user.
    ///   - otherwise: makes the reply if there is no place for the session.
    func reply(
        to request: HTTPServerRequest, _ token: String, here: @escaping @Sendable (SignedInUser) -> HTTPReply,
        otherwise: @escaping @Sendable (_ error: any Error) -> HTTPReply
    ) -> HTTPReply {
        if let place = spaces.openPlace(of: token) { return Self.reply(of: place, to: request, here) }
        return .later { [spaces, waits] in
            do {
                let place = try await waits.hold { try await spaces.place(of: token) }
                return await Self.reply(of: place, to: request, here).response()
            } catch {
                return await otherwise(error).response()
            }
        }
    }

    private static func reply(
        of place: UserPlace, to request: HTTPServerRequest, _ here: (SignedInUser) -> HTTPReply
    ) -> HTTPReply {
        switch place {
        case .space(let api): api.handleHere(request)
        case .here(let user): here(user)
        }
    }
}
