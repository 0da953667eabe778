import ParseModel
import Testing

@Suite struct FieldTypeTests {
    @Test(
        arguments: [
            ("x", .string), (1, .number), (1.5, .number), (true, .boolean), ([1], .array), (["a": 1], .object),
            (["__type": "Date", "iso": "2012-12-25"], .date),
            (["__type": "Pointer", "className": "Country", "objectId": "x"], .pointer("Country")),
            (["__type": "Relation", "className": "Country"], .relation("Country")),
            (["__type": "File", "name": "x"], .file),
            (["__type": "GeoPoint", "latitude": 1, "longitude": 2], .geoPoint),
            (["__type": "Bytes", "base64": ""], .bytes),
            (["__type": "Polygon", "coordinates": []], .polygon), (["__type": "Sound", "name": "x"], .object),
            (["__type": "Pointer"], .object), (["__type": 1], .object),
        ] as [(JSONValue, FieldType)])
    func theTypeOfAFieldFollowsFromItsValue(value: JSONValue, type: FieldType) {
        #expect(FieldType(of: value) == type)
    }

    @Test func aNullValueHasNoFieldType() { #expect(FieldType(of: .null) == nil) }

    @Test(
        arguments: [
            (.string, "String"), (.number, "Number"), (.boolean, "Boolean"), (.date, "Date"), (.object, "Object"),
            (.array, "Array"), (.pointer("Country"), "Pointer<Country>"), (.relation("Country"), "Relation<Country>"),
            (.file, "File"), (.geoPoint, "GeoPoint"), (.bytes, "Bytes"), (.polygon, "Polygon"), (.acl, "ACL"),
        ] as [(FieldType, String)])
    func fieldTypesHaveNamesAndReadBackUnchanged(type: FieldType, description: String) {
        #expect(type.description == description)
        #expect(FieldType(json: type.json) == type)
    }

    @Test func pointerTypesNameTheirTargetClass() {
        #expect(FieldType.pointer("Country").json == ["type": "Pointer", "targetClass": "Country"])
    }

    @Test(arguments: [[:], ["type": "Sound"], ["type": "Pointer"], ["type": 1]] as [JSONObject])
    func invalidFieldTypesAreNotRead(json: JSONObject) {
        #expect(FieldType(json: json) == nil)
    }
}
