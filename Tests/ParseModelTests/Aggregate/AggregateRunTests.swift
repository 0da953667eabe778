import ParseModel
import Testing

@Suite struct AggregateRunTests {
    /// The number of result documents of two `$unwind` stages over one document with two arrays of ten elements.
    private func unwoundTwice(documentsMax: Int) throws -> Int {
        let numbers = JSONValue.array((0..<10).map { .int($0) })
        let query = try AggregateQuery(parameters: ["pipeline": [["$unwind": "$a"], ["$unwind": "$b"]]])
        var count = 0
        var run = AggregateRun(
            query.stages, now: ParseDate(milliseconds: 0), documentsMax: documentsMax,
            regex: { _, _, _ in false }, emit: { _ in count += 1 })
        try run.take(["a": numbers, "b": numbers])
        try run.finish()
        return count
    }

    @Test func theNumberOfDocumentsInAStageIsBounded() throws {
        // One input document, ten of the first stage, and a hundred of the second.
        #expect(try unwoundTwice(documentsMax: 111) == 100)
        let error = #expect(throws: ParseError.self) { try unwoundTwice(documentsMax: 110) }
        #expect(error?.code == .objectTooLarge)
    }
}
