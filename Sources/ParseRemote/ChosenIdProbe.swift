import ParseModel
import RemoteService

/// A request that shows whether a create may choose its own objectId. It creates no object on the server.
///
/// The request is a create with an objectId and an invalid `createdAt`. A stock Parse Server checks the objectId first
/// and answers error 105 (invalid field name). A server with `allowCustomObjectId` checks the fields next and answers
/// error 111 (incorrect type) for the date. No server can execute the create. The class must not be `_Role`: an older
/// standalone gateway answers error 111 for a role without a name, so its answer would not tell whether ids are
/// accepted.
enum ChosenIdProbe {
    static func body(className: String, replicaId: String) -> JSONObject {
        ["objectId": .string(objectId(className: className, replicaId: replicaId)), "createdAt": "not a date"]
    }

    /// Whether the server accepts ids that a create chooses, according to its answer to the probe.
    /// - Throws: if the answer is neither error 105 (invalid field name) nor error 111 (incorrect type).
    static func verdict(_ answer: ParseAnswer) throws(RemoteError) -> Bool {
        switch answer {
        case .failure(.refused(ParseError.Code.invalidFieldName.rawValue, _)): return false
        case .failure(.refused(ParseError.Code.incorrectType.rawValue, _)): return true
        case .failure(let failure): throw failure.remoteError
        case .success: throw .faulty(status: 200, reason: "the server accepted an object whose createdAt is no date")
        }
    }

    /// The objectId of the probe: ten letters and digits, hashed (FNV-1a) from the replica id and the class. Each probe of a
    /// class sends the same id. A collision with the id of an existing object is very unlikely.
    private static func objectId(className: String, replicaId: String) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in "\(replicaId) \(className)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let letters = (0..<10).map { _ in
            defer { hash /= UInt64(alphabet.count) }
            return alphabet[Int(hash % UInt64(alphabet.count))]
        }
        return String(decoding: letters, as: UTF8.self)
    }
}
