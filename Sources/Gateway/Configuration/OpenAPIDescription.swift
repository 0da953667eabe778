import ParseModel
import Yams

/// Converts `openapi.yaml`, for clients without a YAML parser.
enum OpenAPIDescription {
    /// The JSON form of a YAML file, with the members in the order of the file.
    /// - Throws: an error if the file is not valid YAML.
    static func json(of yaml: [UInt8]) throws -> [UInt8] {
        // JSON has no dates, so a text that looks like a date stays a text.
        let root = try Yams.compose(yaml: String(decoding: yaml, as: UTF8.self), .default.removing(.timestamp))
        return (root.map(value) ?? .null).jsonBytes
    }

    private static func value(_ node: Node) -> JSONValue {
        switch node {
        case .mapping(let mapping): .object(JSONObject(mapping.map { ($0.key.string ?? "", value($0.value)) }))
        case .sequence(let sequence): .array(sequence.map(value))
        case .scalar, .alias:
            switch node.any {
            case let flag as Bool: .bool(flag)
            case let number as Int: .number(JSONNumber(number))
            case let number as Double: .number(JSONNumber(number))
            case let text as String: .string(text)
            default: .null
            }
        }
    }
}
