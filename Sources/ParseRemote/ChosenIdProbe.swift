import ParseModel
import RemoteService

/// Determines whether a create may name its own objectId, without a trace on the server.
///
/// The probe is a create with an objectId and an invalid `createdAt`. A stock server refuses the objectId first (105). A server
/// with `allowCustomObjectId` continues to the schema and refuses the date (111). No server can execute it.
enum ChosenIdProbe {
    static func body(className: String, replicaId: String) -> JSONObject {
        ["objectId": .string(objectId(className: className, replicaId: replicaId)), "createdAt": "not a date"]
    }

    /// - Throws: if the answer is neither of the two.
    static func verdict(_ answer: ParseAnswer) throws(RemoteError) -> Bool {
        switch answer {
        case .failure(.refused(ParseError.Code.invalidFieldName.rawValue, _)): return false
        case .failure(.refused(ParseError.Code.incorrectType.rawValue, _)): return true
        case .failure(let failure): throw failure.remoteError
        case .success: throw .faulty(status: 200, reason: "the server accepted an object whose createdAt is no date")
        }
    }

    /// Ten letters and digits, the same for each probe of a class (FNV-1a). A collision with an existing id is very unlikely.
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
