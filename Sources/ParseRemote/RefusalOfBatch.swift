import ParseModel

extension ParseFailure {
    enum RefusalOfBatch: Sendable, Hashable {
        /// The batch has too many items. `named`: the limit that the server has named; nil for none.
        case count(named: Int?)
        /// The body of the batch is too large.
        case bytes
    }

    /// Why the server has refused a whole batch before it executed any of its items; nil if it may have executed some, or for another
    /// reason.
    ///
    /// A Parse Server refuses a malformed batch, and one over `batchRequestLimit`, with code 107 before it executes anything. Only an
    /// item with an unknown route or method is found while the items before it are executed.
    var refusalOfBatch: RefusalOfBatch? {
        switch self {
        case .tooLarge: return .bytes
        case .refused(ParseError.Code.invalidJSON.rawValue, let message):
            if message.hasPrefix("cannot route "), !message.hasPrefix("cannot route batch path") { return nil }
            // "Batch request contains 60 sub-requests, which exceeds the limit of 50."
            let numbers = message.split { !$0.isASCII || !$0.isNumber }.compactMap { Int($0) }
            return .count(named: message.contains("limit") ? numbers.last : nil)
        default: return nil
        }
    }
}
