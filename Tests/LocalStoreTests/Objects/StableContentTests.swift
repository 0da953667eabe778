import ParseModel
import StoreSupport
import Testing

@testable import LocalStore

/// What an object's tag is made of, and what does not matter to it.
@Suite("Stable content")
struct StableContentTests {
    private func tag(_ json: String, without opField: String? = nil, hiding hidden: [String] = []) throws -> String {
        let fields = try #require(try JSONReader.read(json).object)
        return try StableContent(fields, without: opField, names: nil).tag(hiding: hidden)
    }

    @Test(arguments: [
        (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#), (#"{"o":{"x":1,"y":[2]}}"#, #"{"o":{"y":[2],"x":1}}"#),
        (#"{"l":[{"x":1,"y":2}]}"#, #"{"l":[{"y":2,"x":1}]}"#), (#"{"n":1.0}"#, #"{"n":1}"#),
        (#"{"n":[1e2]}"#, #"{"n":[100]}"#), (#"{"n":{"x":0.50}}"#, #"{"n":{"x":0.5}}"#),
        (#"{"a":1,"gone":null}"#, #"{"a":1}"#),
        (#"{"f":{"__type":"File","name":"x","url":"a"}}"#, #"{"f":{"__type":"File","name":"x","url":"b"}}"#),
        (#"{"f":[{"__type":"File","name":"x","url":"a"}]}"#, #"{"f":[{"__type":"File","name":"x"}]}"#),
        (#"{"a":1,"r":{"__type":"Relation","className":"Country"}}"#, #"{"a":1}"#),
        (#"{"objectId":"x","createdAt":"t","updatedAt":"t","a":1}"#, #"{"objectId":"y","updatedAt":"u","a":1}"#),
    ])
    func spellingLeavesTheTag(_ one: String, _ other: String) throws {
        #expect(try tag(one) == tag(other))
    }

    @Test(arguments: [
        (#"{"l":[1,2]}"#, #"{"l":[2,1]}"#), (#"{"n":1}"#, #"{"n":"1"}"#), (#"{"n":1}"#, #"{"n":true}"#),
        (#"{"a":1}"#, #"{"b":1}"#), (#"{"o":{}}"#, #"{"o":{"a":null}}"#), (#"{"o":{}}"#, #"{"o":[]}"#),
        (#"{"f":{"__type":"File","name":"x"}}"#, #"{"f":{"__type":"File","name":"y"}}"#),
        (#"{"n":1e2}"#, #"{"n":1e3}"#), ("{}", #"{"a":""}"#),
    ])
    func valuesChangeTheTag(_ one: String, _ other: String) throws {
        #expect(try tag(one) != tag(other))
    }

    @Test func fieldForOperationsAndHiddenFieldsAreNoPartOfIt() throws {
        #expect(try tag(#"{"a":1,"ops":["r:1"]}"#, without: "ops") == tag(#"{"a":1}"#))
        #expect(try tag(#"{"a":1,"secret":1}"#, hiding: ["secret"]) == tag(#"{"a":1,"secret":2}"#, hiding: ["secret"]))
        #expect(try tag(#"{"a":1,"secret":1}"#) != tag(#"{"a":1,"secret":2}"#))
    }
}
