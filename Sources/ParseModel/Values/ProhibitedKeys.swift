/// The keys that name the prototype of an object in JavaScript. As on Parse Server (`requestKeywordDenylist`), no body
/// may contain such a key, because a client or remote in JavaScript could take it as a change of all its objects.
package enum ProhibitedKeys {
    private static func isProhibited(_ name: some StringProtocol) -> Bool {
        name == "__proto__" || name == "constructor"
    }

    /// Checks the keys of a body at all depths, and each part of a key that is a path.
    /// - Throws: Parse error 105 (invalid field name) for a prohibited key.
    package static func check(_ body: JSONObject) throws(ParseError) {
        for (key, value) in body {
            let prohibited =
                key.utf8.contains(UInt8(ascii: "."))
                ? key.split(separator: ".").first(where: isProhibited).map(String.init) : isProhibited(key) ? key : nil
            if let prohibited {
                throw ParseError(.invalidFieldName, "Prohibited keyword in request data: {\"key\":\"\(prohibited)\"}.")
            }
            try check(value)
        }
    }

    private static func check(_ value: JSONValue) throws(ParseError) {
        switch value {
        case .object(let object): try check(object)
        case .array(let elements): for element in elements { try check(element) }
        default: break
        }
    }
}
