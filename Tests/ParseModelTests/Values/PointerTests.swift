import ParseModel
import Testing

@Suite struct PointerTests {
    private let norway = Pointer(className: "Country", objectId: "norway0001")
    private let denmark = Pointer(className: "Country", objectId: "denmark001")

    @Test func pointersAreFoundAtAnyDepthInTextOrder() {
        let value: JSONValue = ["a": [norway.json, ["b": denmark.json]], "c": norway.json, "d": ["__type": "Pointer"]]
        #expect(value.pointers == [norway, denmark, norway])
    }

    @Test func replacingPointersChangesNothingElse() {
        let value: JSONValue = ["a": [norway.json, "norway0001"], "b": denmark.json]
        let replaced = value.replacingPointers { $0 == norway ? Pointer(className: "Country", objectId: "no") : $0 }
        let expected: JSONValue = [
            "a": [Pointer(className: "Country", objectId: "no").json, "norway0001"], "b": denmark.json,
        ]
        #expect(replaced == expected)
    }
}
