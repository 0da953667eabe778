/// Counts and limits the memory of the documents and values that one stage of a pipeline keeps.
package struct HeldDocuments {
    /// The maximum memory in bytes, by the estimate of `JSONValue.memoryBytes`.
    package static let bytesMax = 256 << 20

    private let stage: String
    private var bytesLeft: Int

    /// - Parameter stage: the name of the stage, for the error.
    init(stage: String, bytesMax: Int = bytesMax) {
        self.stage = stage
        bytesLeft = bytesMax
    }

    /// Counts the memory of a value that the stage keeps.
    /// - Parameter replaced: the value that the stage drops in exchange.
    /// - Throws: Parse error 154 (inefficient query) beyond the maximum.
    mutating func keep(_ value: JSONValue?, insteadOf replaced: JSONValue? = nil) throws(ParseError) {
        bytesLeft -= (value?.memoryBytes ?? 0) - (replaced?.memoryBytes ?? 0)
        guard bytesLeft >= 0 else {
            throw ParseError(
                .inefficientQuery, "\(stage) needs too much memory. Reduce the objects or fields in an earlier stage.")
        }
    }
}
