import ParseModel
import Testing

@Suite struct JSONObjectTests {
    /// A count below and one above the limit of the linear search.
    @Test(arguments: [3, 100]) func membersOfAJSONObjectAreFoundReplacedAndRemoved(count: Int) {
        var object = JSONObject((0..<count).map { ("k\($0)", .int($0)) })
        #expect(object.count == count)
        #expect(object["k2"] == 2)
        #expect(object["k\(count)"] == nil)
        object["k1"] = "one"
        object["k0"] = nil
        object["absent"] = nil
        #expect(object.keys == (1..<count).map { "k\($0)" })
        #expect(object["k1"] == "one")
        #expect(object["k\(count - 1)"] == .int(count - 1))
        object.removeAll { $0 != "k2" }
        #expect(object == ["k2": 2])
    }

    @Test(arguments: [3, 100]) func equalityOfJSONObjectsIgnoresTheOrderOfMembers(count: Int) {
        let members = (0..<count).map { ("k\($0)", JSONValue.int($0)) }
        let object = JSONObject(members)
        #expect(object == JSONObject(members.reversed()))
        #expect(object.hashValue == JSONObject(members.reversed()).hashValue)
        #expect(object != JSONObject(members.dropLast()))
        #expect(object != JSONObject(members.dropLast() + [("other", 1)]))
        #expect(object != JSONObject(members.dropLast() + [("k\(count - 1)", "other")]))
    }

    @Test(arguments: [0, 50]) func keysAndStringsAreComparedByTheirBytes(others: Int) {
        let filling = (0..<others).map { ("k\($0)", JSONValue.int($0)) }
        // A precomposed and a decomposed é, then two accents in either order with the same number of bytes.
        for (a, b) in [("\u{E9}", "e\u{301}"), ("e\u{301}\u{323}", "e\u{323}\u{301}")] {
            #expect(a == b)
            #expect(JSONValue.string(a) != .string(b))
            let object = JSONObject(filling + [(a, 1), (b, 2)])
            #expect(object.count == others + 2)
            #expect(object[a] == 1)
            #expect(object[b] == 2)
            #expect(object != JSONObject(filling + [(b, 1), (a, 2)]))
        }
    }
}
