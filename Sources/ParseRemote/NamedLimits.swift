import HTTPClient
import ParseModel
import RemoteHTTP
import RemoteService

// The messages in which a Parse Server names its limits. This client evaluates no other message of a server, because a
// Parse Server hides the texts of most of its errors.

extension ParseFailure {
    enum RefusalOfBatch: Sendable, Hashable {
        /// The batch has too many items, or an item has an unknown route (code 107). `named`: the limit that the server
        /// has named, which proves that it has executed nothing; nil for none.
        case count(named: Int?)
        /// The body of the batch is too large. The server has executed nothing.
        case bytes
    }

    /// The reason why the server may have refused a whole batch; nil if the reason is not the batch itself.
    ///
    /// A Parse Server refuses a malformed batch, and one over `batchRequestLimit`, with code 107 before it executes
    /// anything. It answers the same code if an item has an unknown route or method, after it has executed the items
    /// before. Only a text with the limit distinguishes the two: "Batch request contains 60 sub-requests, which exceeds
    /// the limit of 50."
    var refusalOfBatch: RefusalOfBatch? {
        switch self {
        case .tooLarge: .bytes
        case .refused(ParseError.Code.invalidJSON.rawValue, let message):
            .count(named: message.limit(of: "Batch request"))
        default: nil
        }
    }
}

extension HTTPClientResponse {
    /// The limits of `include` that the refusal of a read names. Any number in the text may be the limit, so the
    /// smallest one is used.
    var namedIncludeLimit: RemoteLimits.Values? {
        guard status.code == 400, let body = try? JSONReader.read(body).object,
            body["code"]?.int == ParseError.Code.invalidQuery.rawValue, let text = body["error"]?.string
        else { return nil }
        if let depth = text.limit(of: "Include depth") { return .init(includeDepth: depth) }
        return text.limit(of: "Number of include fields").map { .init(includeCount: $0) }
    }
}

extension String {
    /// The smallest number in a text that begins with the given words; nil for another text.
    fileprivate func limit(of subject: String) -> Int? {
        guard hasPrefix(subject) else { return nil }
        return split { !$0.isASCII || !$0.isNumber }.compactMap { Int($0) }.min()
    }
}
