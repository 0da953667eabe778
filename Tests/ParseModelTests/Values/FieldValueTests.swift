import ParseModel
import Testing

@Suite struct FieldValueTests {
    @Test(arguments: [
        ("40.0", "40"), ("[1E3,{\"a\":-0.0}]", "[1000,{\"a\":0}]"), ("9007199254740993", "9007199254740992"),
        ("null", "null"), ("{\"a\":null}", "{\"a\":null}"),
        (
            #"{"a":[{"__type":"Date","iso":"2012-12-25T01:00:00+01:00"}]}"#,
            #"{"a":[{"__type":"Date","iso":"2012-12-25T00:00:00.000Z"}]}"#
        ),
        (
            #"{"objectId":"x","__type":"Pointer","className":"Country","name":"Norway"}"#,
            #"{"__type":"Pointer","className":"Country","objectId":"x"}"#
        ),
        (
            #"{"__type":"GeoPoint","longitude":-30.0,"latitude":40.0}"#,
            #"{"__type":"GeoPoint","latitude":40,"longitude":-30}"#
        ),
        (#"{"__type":"File","name":"a.png","url":"u"}"#, #"{"__type":"File","name":"a.png","url":"u"}"#),
        (#"{"__type":"Bytes","base64":"TWFu"}"#, #"{"__type":"Bytes","base64":"TWFu"}"#),
        (
            #"{"__type":"Polygon","coordinates":[[0,0],[0,1.0],[1,1]]}"#,
            #"{"__type":"Polygon","coordinates":[[0,0],[0,1],[1,1],[0,0]]}"#
        ),
        (
            #"{"coordinates":[[0,0],[0,1],[1,1],[0.0,-0.0]],"x":1,"__type":"Polygon"}"#,
            #"{"__type":"Polygon","coordinates":[[0,0],[0,1],[1,1],[0,0]]}"#
        ),
        (#"{"__type":"Sound","pitch":440.0}"#, #"{"__type":"Sound","pitch":440}"#),
        (#"{"__type":7}"#, #"{"__type":7}"#),
    ])
    func fieldValuesBecomeCanonical(text: String, canonical: String) throws {
        #expect(try JSONReader.read(text).asFieldValue().jsonText == canonical)
    }

    @Test(arguments: [
        #"{"__type":"Date"}"#, #"{"__type":"Date","iso":"tomorrow"}"#, #"{"__type":"Date","iso":0}"#,
        #"[{"a":{"__type":"Date","iso":"2012-02-30"}}]"#, #"{"__type":"Pointer"}"#,
        #"{"__type":"Pointer","className":"Country"}"#, #"{"__type":"Pointer","objectId":"x"}"#,
        #"{"__type":"Pointer","className":"","objectId":"x"}"#,
        #"{"__type":"Pointer","className":"Country","objectId":""}"#,
        #"{"__type":"Pointer","className":"Country","objectId":7}"#, #"{"__type":"File"}"#,
        #"{"__type":"File","name":""}"#,
        #"{"__type":"Bytes"}"#, #"{"__type":"Bytes","base64":[]}"#, #"{"__type":"Bytes","base64":""}"#,
        #"{"__type":"GeoPoint"}"#,
        #"{"__type":"GeoPoint","latitude":"1","longitude":1}"#, #"{"__type":"GeoPoint","latitude":90.5,"longitude":1}"#,
        #"{"__type":"GeoPoint","latitude":-91,"longitude":1}"#,
        #"{"__type":"GeoPoint","latitude":1,"longitude":180.5}"#,
        #"{"__type":"GeoPoint","latitude":1,"longitude":1e999}"#, #"{"__type":"Polygon"}"#,
        #"{"__type":"Polygon","coordinates":[[0,0],[0,1]]}"#, #"{"__type":"Polygon","coordinates":[[0,0],[0,1],[1]]}"#,
    ])
    func malformedTypedValuesAreRefused(text: String) throws {
        let value = try JSONReader.read(text)
        #expect(try #require(throws: ParseError.self) { try value.asFieldValue() }.code == .incorrectType)
    }

    @Test(arguments: [
        "[[0,0],[0,1],[0,0]]", "[[1,1],[1,1],[1,1]]", "[[0,0],[0,1],[0.0,1],[0,0],[0,1]]",
    ])
    func aPolygonHasThreeDifferentCorners(coordinates: String) {
        #expect(throws: ParseError(.incorrectType, "GeoJSON: Loop must have at least 3 different vertices")) {
            try JSONReader.read(#"{"__type":"Polygon","coordinates":\#(coordinates)}"#).asFieldValue()
        }
    }

    @Test(arguments: ["90", "-90"]) func extremeCoordinatesAreValid(latitude: String) throws {
        let value = try JSONReader.read(#"{"__type":"GeoPoint","latitude":\#(latitude),"longitude":-180}"#)
        #expect(try value.asFieldValue() == value)
    }

    @Test func malformedDateHasParseServerMessage() {
        #expect(throws: ParseError(.incorrectType, "This is not a valid Date")) {
            try (["__type": "Date", "iso": "tomorrow"] as JSONValue).asFieldValue()
        }
    }

    @Test(arguments: [
        #""a\u0000b""#, #"["\u0000"]"#, #"{"\u0000":1}"#, #"{"a":{"b":"\u0000"}}"#, "1e999", "[-1e400]",
        #"{"__type":"Pointer","className":"Country","objectId":"\u0000"}"#, #"{"__type":"File","name":"\u0000"}"#,
    ])
    func nullCharactersAndInfiniteNumbersAreRefused(text: String) throws {
        let value = try JSONReader.read(text)
        #expect(try #require(throws: ParseError.self) { try value.asFieldValue() }.code == .invalidJSON)
    }

    @Test(arguments: [#"{"$a":1}"#, #"{"a.b":1}"#, #"{"a":[{"b$":1}]}"#])
    func invalidNestedKeysAreRefused(text: String) throws {
        let value = try JSONReader.read(text)
        #expect(throws: ParseError(.invalidNestedKey, "Nested keys should not contain the '$' or '.' characters")) {
            try value.asFieldValue()
        }
    }
}
