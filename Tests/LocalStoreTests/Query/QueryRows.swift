import LocalStore
import ParseModel

/// One object for each kind of value, in the field `v`. The id of the object names the kind. The objects are in a
/// replica, because a remote may mix types in one field.
enum QueryRows {
    static func date(_ day: String) -> JSONValue { ["__type": "Date", "iso": .string("\(day)T00:00:00.000Z")] }
    static func pointer(_ className: String, _ objectId: String) -> JSONValue {
        ["__type": "Pointer", "className": .string(className), "objectId": .string(objectId)]
    }

    static let values: [(id: String, value: JSONValue?)] = [
        ("missing", nil), ("null", .null),
        ("false", false), ("true", true),
        ("zero", 0), ("one", 1), ("onePointFive", 1.5), ("two", 2),
        ("text1", "1"), ("a", "a"), ("Ab", "Ab"), ("b", "b"), ("lines", "x\ny"), ("oe", "ö"),
        ("date20", date("2020-01-01")), ("date21", date("2021-01-01")),
        ("countryX", pointer("Country", "x")), ("countryY", pointer("Country", "y")), ("cityX", pointer("City", "x")),
        ("empty", []), ("numbers", [1, 5]), ("texts", ["a", "z"]), ("jsonText", ["{\"k\":1}", "[1]", "{"]),
        ("pointers", [pointer("Country", "x"), "plain"]), ("dates", ["plain", date("2020-01-01")]),
        ("objects", ["plain", ["k": 1, "l": [2]]]), ("nulls", [.null, "n"]),
        ("nested", ["city": ["name": "Oslo"], "n": 1, "when": date("2020-01-01"), "_x": 1]),
        ("geo", ["__type": "GeoPoint", "latitude": 40, "longitude": -30]),
        ("file", ["__type": "File", "name": "f.txt", "url": "http://localhost/f.txt"]),
        ("bytes", ["__type": "Bytes", "base64": "aGk="]),
    ]

    static let ids = values.map(\.id)

    static func store() async throws -> LocalStore {
        let store = try LocalStore.make(.replica)
        try await store.pull(
            values.enumerated().map { place, row in
                .make(
                    row.id, row.value.map { ["v": $0] } ?? [:], of: "Row", createdMs: Int64(place) * 1000,
                    updatedMs: Int64(place) * 1000 + 500)
            })
        return store
    }
}
