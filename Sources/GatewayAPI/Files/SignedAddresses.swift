import HTTPServer
import ParseModel
import Passwords

/// Makes and checks signed URLs, with which a browser can load a file without a session, for at most ten minutes. An
/// image in a page cannot send a session. Only files that are not on the remote yet have signed URLs. In a personal
/// replica, the URL names the user whose space has the file.
struct SignedAddresses: Sendable {
    let signer: AddressSigner
    let now: @Sendable () -> ParseDate

    private static let lifetime = Duration.seconds(600)
    /// The expiry of a URL is a multiple of this number of milliseconds. The URLs of a file, and the answers that
    /// contain them, therefore stay equal for a minute.
    private static let step: Int64 = 60_000

    /// The query of the signed URL of a file: `user=…&expires=…&signature=…`. `expires` is in milliseconds since 1970,
    /// nine to ten minutes from now.
    /// - Parameter userId: the user whose space has the file; nil in a site replica, whose URLs have no `user`.
    func query(of name: String, userId: String?) -> String {
        let soon = (now() + Self.lifetime).milliseconds
        let end = soon / Self.step * Self.step
        let signature = Hexadecimal.text(of: signer.signature(of: Self.text(name, userId, end)))
        let user = userId.map { "user=\(PercentCoding.encodedPathSegment($0))&" } ?? ""
        return "\(user)expires=\(end)&signature=\(signature)"
    }

    /// Checks the signed URL of a file in a personal replica.
    /// - Returns: the user whose space has the file, and the time until the URL expires; nil for a URL without a
    ///   signature.
    /// - Throws: `APIError.forbidden` if the signature is wrong or has expired.
    func grant(of name: String, _ parameters: JSONObject) throws(APIError) -> (userId: String, rest: Duration)? {
        guard parameters.text("signature") != nil else { return nil }
        guard let userId = parameters.text("user") else { throw Self.wrong }
        return (userId, try check(name, userId, parameters))
    }

    /// Whether the URL of a file in a site replica has a valid signature; false without a signature.
    /// - Throws: `APIError.forbidden` if the signature is wrong or has expired.
    func isSigned(_ name: String, _ parameters: JSONObject) throws(APIError) -> Bool {
        guard parameters.text("signature") != nil else { return false }
        _ = try check(name, nil, parameters)
        return true
    }

    private static let wrong = APIError.forbidden(reason: "the signature of the address is wrong")

    /// - Returns: the time until the URL expires.
    private func check(_ name: String, _ userId: String?, _ parameters: JSONObject) throws(APIError) -> Duration {
        guard let end = parameters.text("expires").flatMap(Int64.init),
            let bytes = parameters.text("signature").flatMap(Hexadecimal.bytes(of:)),
            signer.hasSigned(Self.text(name, userId, end), with: bytes)
        else { throw Self.wrong }
        let rest = end - now().milliseconds
        guard rest > 0 else { throw .forbidden(reason: "the address has expired") }
        // After the clock was set back, the difference may exceed the lifetime.
        return min(.milliseconds(rest), Self.lifetime)
    }

    private static func text(_ name: String, _ userId: String?, _ end: Int64) -> String {
        JSONValue.array([.string(name), userId.map(JSONValue.string) ?? .null, .string(String(end))]).jsonText
    }
}
