import Foundation

/// Checks values against the part of JSON Schema that `openapi.yaml` uses. An unknown keyword is a violation, so that
/// no rule is skipped unnoticed.
struct SchemaCheck {
    typealias Map = [String: Any]

    /// The whole OpenAPI document, in which references are looked up.
    let root: Map

    private static let annotations: Set = ["description", "example", "default", "contentMediaType"]

    /// The violations of a value, each with its path; empty for a valid value.
    func violations(of value: Any, by schema: Map, at path: String = "$") -> [String] {
        let schema = resolved(schema)
        return schema.sorted { $0.key < $1.key }.flatMap { keyword, rule -> [String] in
            if Self.annotations.contains(keyword) { return [] }
            return check(value, keyword, rule, schema, path)
        }
    }

    /// Replaces a map that has a `$ref` by the referenced map. Members beside the `$ref` are kept.
    func resolved(_ map: Map) -> Map {
        guard let reference = map["$ref"] as? String else { return map }
        var target = reference.split(separator: "/").dropFirst().reduce(root) { $0[String($1)] as? Map ?? [:] }
        for (key, value) in map where key != "$ref" { target[key] = value }
        return resolved(target)
    }

    private func check(_ value: Any, _ keyword: String, _ rule: Any, _ schema: Map, _ path: String) -> [String] {
        switch keyword {
        case "type": return typeIsAllowed(value, rule) ? [] : ["\(path) has another type than \(rule)"]
        case "enum":
            let values = rule as? [Any] ?? []
            return values.contains { isEqual($0, value) } ? [] : ["\(path) is not in the enumeration"]
        case "const": return isEqual(rule, value) ? [] : ["\(path) is not \(rule)"]
        case "oneOf", "anyOf", "allOf":
            let schemas = rule as? [Map] ?? []
            let results = schemas.map { violations(of: value, by: $0, at: path) }
            let valid = results.count(where: \.isEmpty)
            switch keyword {
            case "allOf": return results.flatMap { $0 }
            case "oneOf": return valid == 1 ? [] : ["\(path) fits \(valid) of the alternatives"]
            default: return valid >= 1 ? [] : ["\(path) fits none of the alternatives"]
            }
        case "required", "properties", "additionalProperties", "maxProperties":
            guard let object = value as? Map else { return [] }
            return checkObject(object, keyword, rule, schema, path)
        case "items", "maxItems":
            guard let list = value as? [Any] else { return [] }
            if keyword == "maxItems" { return list.count <= rule as? Int ?? 0 ? [] : ["\(path) is too long"] }
            return list.enumerated().flatMap { violations(of: $1, by: rule as? Map ?? [:], at: "\(path)[\($0)]") }
        case "minimum": return (value as? Int).map { $0 >= rule as? Int ?? 0 } ?? true ? [] : ["\(path) is too small"]
        case "minLength", "maxLength", "pattern", "format":
            return textIsValid(value, keyword, rule) ? [] : ["\(path) breaks \(keyword)"]
        default: return ["\(path): the check does not know the keyword \(keyword)"]
        }
    }

    private func checkObject(
        _ object: Map, _ keyword: String, _ rule: Any, _ schema: Map, _ path: String
    ) -> [String] {
        let properties = schema["properties"] as? [String: Map] ?? [:]
        switch keyword {
        case "required":
            return (rule as? [String] ?? []).filter { object[$0] == nil }.map { "\(path).\($0) is missing" }
        case "properties":
            return properties.sorted { $0.key < $1.key }.flatMap { name, schema in
                object[name].map { violations(of: $0, by: schema, at: "\(path).\(name)") } ?? []
            }
        case "maxProperties": return object.count <= rule as? Int ?? 0 ? [] : ["\(path) has too many members"]
        default:
            let others = object.filter { properties[$0.key] == nil }
            if let isAllowed = rule as? Bool {
                return isAllowed ? [] : others.keys.sorted().map { "\(path).\($0) is not allowed" }
            }
            return others.flatMap { violations(of: $1, by: rule as? Map ?? [:], at: "\(path).\($0)") }
        }
    }

    private func typeIsAllowed(_ value: Any, _ rule: Any) -> Bool {
        let types = rule as? [String] ?? [rule as? String ?? ""]
        return types.contains { type in
            switch type {
            case "null": value is NSNull
            case "boolean": value is Bool
            case "integer": value is Int
            case "number": value is Int || value is Double
            case "string": value is String
            case "array": value is [Any]
            case "object": value is Map
            default: false
            }
        }
    }

    private func textIsValid(_ value: Any, _ keyword: String, _ rule: Any) -> Bool {
        guard let text = value as? String else { return true }
        switch (keyword, rule) {
        case ("minLength", let count as Int): return text.count >= count
        case ("maxLength", let count as Int): return text.count <= count
        case ("pattern", let pattern as String): return text.range(of: pattern, options: .regularExpression) != nil
        case ("format", "date-time" as String):
            return text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil
        case ("format", "uri" as String), ("format", "int64" as String): return true
        default: return false
        }
    }

    private func isEqual(_ one: Any, _ other: Any) -> Bool {
        guard let one = one as? AnyHashable, let other = other as? AnyHashable else { return false }
        return one == other
    }
}
