import ParseModel

extension ParseFailure {
    enum RefusalOfBatch: Sendable, Hashable {
        /// Code 107. `named`: the limit that the server has named, and then it has executed nothing; nil for none.
        case count(named: Int?)
        /// The body of the batch is too large. The server has executed nothing.
        case bytes
    }

    /// Why the server may have refused a whole batch; nil for another reason than the batch itself.
    ///
    /// A Parse Server refuses a malformed batch, and one over `batchRequestLimit`, with code 107 before it executes anything. It answers
    /// the same code if an item has an unknown route or method, after it has executed the items before. Only the text that names the limit
    /// tells the one from the other. No other text of a remote decides anything.
    var refusalOfBatch: RefusalOfBatch? {
        switch self {
        case .tooLarge: return .bytes
        case .refused(ParseError.Code.invalidJSON.rawValue, let message):
            // "Batch request contains 60 sub-requests, which exceeds the limit of 50."
            let numbers = message.split { !$0.isASCII || !$0.isNumber }.compactMap { Int($0) }
            return .count(named: message.contains("limit") ? numbers.last : nil)
        default: return nil
        }
    }
}
