import LocalStore
import ParseModel
import StoreSupport

extension LocalStore {
    /// The ids of a relation's members, in the order of the query.
    func members(
        of owner: String, _ field: String = "countries", _ parameters: JSONObject = [:], ownerClass: String = "Holiday",
        of className: String = "Country"
    ) throws -> [String] {
        var parameters = parameters
        var condition = parameters["where"]?.object ?? [:]
        condition["$relatedTo"] = [
            "object": Pointer(className: ownerClass, objectId: owner).json, "key": .string(field),
        ]
        parameters["where"] = .object(condition)
        return try ids(parameters, of: className)
    }
}

extension JSONValue {
    static func country(_ objectId: String) -> JSONValue { Pointer(className: "Country", objectId: objectId).json }

    static func adding(_ ids: String...) -> JSONValue {
        ["__op": "AddRelation", "objects": .array(ids.map(country))]
    }

    static func removing(_ ids: String...) -> JSONValue {
        ["__op": "RemoveRelation", "objects": .array(ids.map(country))]
    }

    /// The value of a field that is a relation to countries.
    static let relation: JSONValue = ["__type": "Relation", "className": "Country"]
}
