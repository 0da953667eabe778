import ParseModel
import Passwords

/// Addresses with which a browser can load a user's file without the user's session, for ten minutes. An image in a page cannot
/// send a session. They are used for files that are not on the remote yet.
struct SignedAddresses: Sendable {
    let signer: AddressSigner
    let now: @Sendable () -> ParseDate

    private static let lifetime = Duration.seconds(600)
    /// The time for which all addresses of a file are equal, so that answers with them stay equal.
    private static let step: Int64 = 60_000

    /// The query of the address of a file: `user=…&expires=…&signature=…`. The end is in milliseconds since 1970, up to a minute later
    /// than ten minutes from now.
    func query(of name: String, userId: String) -> String {
        let soon = (now() + Self.lifetime).milliseconds
        let end = (soon + Self.step - 1) / Self.step * Self.step
        let signature = Hexadecimal.text(of: signer.signature(of: Self.text(name, userId, end)))
        return "user=\(PercentCoding.encodedPathSegment(userId))&expires=\(end)&signature=\(signature)"
    }

    /// The user whose file a signed address gives.
    /// - Returns: nil for an address without a signature.
    /// - Throws: `APIError.forbidden` if the signature is wrong or has expired.
    func userId(of name: String, _ parameters: JSONObject) throws(APIError) -> String? {
        guard let signature = parameters.text("signature") else { return nil }
        guard let userId = parameters.text("user"), let end = parameters.text("expires").flatMap(Int64.init),
            let bytes = Hexadecimal.bytes(of: signature),
            signer.hasSigned(Self.text(name, userId, end), with: bytes)
        else { throw .forbidden(reason: "the signature of the address is wrong") }
        guard now().milliseconds < end else { throw .forbidden(reason: "the address has expired") }
        return userId
    }

    private static func text(_ name: String, _ userId: String, _ end: Int64) -> String {
        JSONValue.array([.string(name), .string(userId), .string(String(end))]).jsonText
    }
}
