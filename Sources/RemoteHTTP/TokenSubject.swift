import Foundation
import ParseModel

/// Reads from a token which user it belongs to.
package enum TokenSubject {
    /// The `sub` claim of a JSON Web Token (RFC 7519 §4.1.2); nil for a token of another form. The signature is not
    /// checked, because only the server knows the key.
    package static func subject(of token: String) -> String? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        // The parts are base64url without padding (RFC 7515 §2).
        var base64 = parts[1].replacing("-", with: "+").replacing("_", with: "/")
        base64 += String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        guard let claims = Data(base64Encoded: String(base64)),
            let subject = try? JSONReader.read(Array(claims)).object?["sub"]?.string, !subject.isEmpty
        else { return nil }
        return subject
    }
}
