import GRDB
import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

@testable import LocalStore

/// Tests which differences between two contents of an object give the object a new tag.
@Suite("Comparison of object contents")
struct StableContentTests {
    private func isSame(_ one: String, _ other: String, without opField: String? = nil) async throws -> Bool {
        let store = try LocalStore.make(.replica)
        try await store.registerClass("Holiday", files: FileDownloads(), opField: opField)
        let contents = try [one, other].map { try #require(try JSONReader.read($0).object) }
        let isSame = try await store.transactions.write { transaction in
            let content = StableContent(className: "Holiday", in: transaction)
            return [try content.isSame(contents[0], contents[1]), try content.isSame(contents[1], contents[0])]
        }
        #expect(isSame[0] == isSame[1])
        return isSame[0]
    }

    @Test(arguments: [
        (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#), (#"{"o":{"x":1,"y":[2]}}"#, #"{"o":{"y":[2],"x":1}}"#),
        (#"{"l":[{"x":1,"y":2}]}"#, #"{"l":[{"y":2,"x":1}]}"#), (#"{"n":1.0}"#, #"{"n":1}"#),
        (#"{"n":[1e2]}"#, #"{"n":[100]}"#), (#"{"n":{"x":0.50}}"#, #"{"n":{"x":0.5}}"#),
        (#"{"o":{"y":1.0,"x":1}}"#, #"{"o":{"x":1.0,"y":1}}"#), (#"{"a":1,"gone":null}"#, #"{"a":1}"#),
        (#"{"f":{"__type":"File","name":"x","url":"a"}}"#, #"{"f":{"__type":"File","name":"x","url":"b"}}"#),
        (#"{"f":[{"__type":"File","name":"x","url":"a"}]}"#, #"{"f":[{"__type":"File","name":"x"}]}"#),
        (#"{"a":1,"r":{"__type":"Relation","className":"Country"}}"#, #"{"a":1}"#),
    ])
    func objectContentsInDifferentNotationsAreEqual(_ one: String, _ other: String) async throws {
        #expect(try await isSame(one, other))
    }

    @Test(arguments: [
        (#"{"l":[1,2]}"#, #"{"l":[2,1]}"#), (#"{"n":1}"#, #"{"n":"1"}"#), (#"{"n":1}"#, #"{"n":true}"#),
        (#"{"a":1}"#, #"{"b":1}"#), (#"{"o":{}}"#, #"{"o":{"a":null}}"#), (#"{"o":{}}"#, #"{"o":[]}"#),
        (#"{"f":{"__type":"File","name":"x"}}"#, #"{"f":{"__type":"File","name":"y"}}"#),
        (#"{"n":1e2}"#, #"{"n":1e3}"#), ("{}", #"{"a":""}"#), (#"{"secret":1}"#, #"{"secret":2}"#),
    ])
    func objectContentsWithDifferentValuesDiffer(_ one: String, _ other: String) async throws {
        #expect(try await !isSame(one, other))
    }

    @Test func theFieldForOperationIdsIsNotPartOfTheObjectContent() async throws {
        #expect(try await isSame(#"{"a":1,"ops":["r:1"]}"#, #"{"a":1}"#, without: "ops"))
        #expect(try await !isSame(#"{"a":1,"ops":["r:1"]}"#, #"{"a":1}"#))
        #expect(try await !isSame(#"{"a":1,"ops":["r:1"]}"#, #"{"a":2}"#, without: "ops"))
    }
}
