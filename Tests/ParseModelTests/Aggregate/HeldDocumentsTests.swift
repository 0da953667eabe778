import ParseModel
import Testing

/// Tests the memory limit of pipeline stages that keep documents. A limit of their number exists besides.
struct HeldDocumentsTests {
    private static let bytesMax = 100_000

    private static func run(_ pipeline: String, _ documents: [JSONObject]) throws -> [JSONObject] {
        let query = try AggregateQuery(parameters: ["pipeline": try JSONReader.read(pipeline)])
        var found: [JSONObject] = []
        var run = AggregateRun(
            query.stages, now: ParseDate(milliseconds: 0), heldBytesMax: bytesMax, regex: { _, _, _ in false },
            emit: { found.append($0) })
        for document in documents { try run.take(document) }
        try run.finish()
        return found
    }

    /// Twenty documents of 10,000 bytes each.
    private static let large: [JSONObject] = (0..<20).map {
        ["n": .int($0), "text": .string(String($0) + String(repeating: "x", count: 10_000))]
    }
    /// A `$project` stage of all fields. The stages after it run in memory and not as a query of the store.
    private static let whole = #"{"$project":{"n":1,"text":1}}"#

    @Test(arguments: [
        #"{"$sort":{"n":-1}}"#, #"{"$group":{"_id":"$text"}}"#, #"{"$group":{"_id":"$n","text":{"$first":"$text"}}}"#,
        #"{"$group":{"_id":"$n","text":{"$max":"$text"}}}"#,
    ])
    func anAggregateStageOverTheMemoryLimitIsRefused(stage: String) throws {
        let error = #expect(throws: ParseError.self) { try Self.run("[\(Self.whole),\(stage)]", Self.large) }
        #expect(error?.code == .inefficientQuery)
    }

    @Test(arguments: [
        #"{"$sort":{"n":-1}}"#, #"{"$group":{"_id":"$n","text":{"$first":"$n"}}}"#,
    ])
    func aStageThatKeepsSmallPartsOfLargeDocumentsIsAllowed(stage: String) throws {
        #expect(try Self.run(#"[{"$project":{"n":1}},\#(stage)]"#, Self.large).count == 20)
    }

    @Test func aReplacedGroupValueDoesNotCountTowardTheMemoryLimit() throws {
        let last = #"[\#(Self.whole),{"$group":{"_id":null,"text":{"$last":"$text"}}}]"#
        #expect(try Self.run(last, Self.large).count == 1)
    }

    @Test func distinctValuesOverTheMemoryLimitAreRefused() throws {
        var values = DistinctValues(try FieldPath("text"), heldBytesMax: Self.bytesMax)
        let error = #expect(throws: ParseError.self) { for document in Self.large { try values.take(document) } }
        #expect(error?.code == .inefficientQuery)
    }
}
