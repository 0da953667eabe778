extension JSONValue {
    /// Validates the value and everything inside it, and returns its canonical form for storage, for example with dates in UTC.
    ///
    /// An object with an unknown `__type` is treated as a plain object.
    /// - Throws: Parse error 107 (invalid JSON) for the character U+0000 or a number that is too large, 111 (incorrect type) for
    ///   a malformed Date, Pointer, File, Bytes, GeoPoint or Polygon, 121 (invalid nested key).
    package func asFieldValue() throws(ParseError) -> JSONValue {
        switch self {
        case .null, .bool: return self
        case .number(let number): return .number(try number.asFieldValue())
        case .string(let string):
            try string.checkStorable()
            return self
        case .array(let elements):
            var checked: [JSONValue] = []
            checked.reserveCapacity(elements.count)
            for element in elements { checked.append(try element.asFieldValue()) }
            return .array(checked)
        case .object(let object):
            if let typed = try object.asTypedValue() { return typed }
            return .object(try object.asFieldValue(keys: .nested))
        }
    }
}

extension JSONNumber {
    /// The number in canonical form.
    /// - Throws: Parse error 107 (invalid JSON) if the number exceeds the range of a double.
    func asFieldValue() throws(ParseError) -> JSONNumber {
        guard isFinite else { throw ParseError(.invalidJSON, "The number \(text) is too large.") }
        return canonical
    }
}

extension String {
    /// Checks that the string can be stored.
    /// - Throws: Parse error 107 (invalid JSON) if the string contains the character U+0000.
    func checkStorable() throws(ParseError) {
        guard !utf8.contains(0) else { throw ParseError(.invalidJSON, "Text may not contain the character U+0000.") }
    }
}

extension JSONObject {
    enum KeyRule {
        /// Keys inside a field value. They may not contain `.` or `$`, which queries use in paths and operators.
        case nested
        /// Keys of an ACL, such as user ids and role names. They may contain `.` and `$`.
        case any
    }

    func asFieldValue(keys rule: KeyRule) throws(ParseError) -> JSONObject {
        var checked = JSONObject()
        for (key, value) in self {
            try key.checkStorable()
            if rule == .nested, key.utf8.contains(where: { $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: ".") }) {
                throw ParseError(.invalidNestedKey, "Nested keys should not contain the '$' or '.' characters")
            }
            checked[key] = try value.asFieldValue()
        }
        return checked
    }

    /// Validates an object with a `__type`.
    /// - Returns: the canonical form of a Date, Pointer, GeoPoint or Polygon, with only the members that Parse defines.
    ///   Nil for a File, for Bytes and for any other object, because these keep all members.
    /// - Throws: Parse error 107 (invalid JSON) for text or a number that cannot be stored, 111 (incorrect type) for a malformed
    ///   value.
    fileprivate func asTypedValue() throws(ParseError) -> JSONValue? {
        guard let type = self["__type"]?.string else { return nil }
        // Most values are valid, so the error is made only when it is thrown.
        var invalid: ParseError { ParseError(.incorrectType, "This is not a valid \(type)") }
        switch type {
        case "Date":
            guard let iso = self["iso"]?.string, let date = ParseDate(iso: iso) else { throw invalid }
            return date.json
        case "Pointer":
            guard let pointer = Pointer(.object(self)), !pointer.className.isEmpty, !pointer.objectId.isEmpty else {
                throw invalid
            }
            try pointer.className.checkStorable()
            try pointer.objectId.checkStorable()
            return pointer.json
        case "GeoPoint":
            return try geoPoint(invalid)
        case "File":
            guard let name = self["name"]?.string, !name.isEmpty else { throw invalid }
        case "Bytes":
            // Parse Server treats empty Bytes as missing (`getObjectType` in `SchemaController`).
            guard let base64 = self["base64"]?.string, !base64.isEmpty else { throw invalid }
        case "Polygon":
            return try polygon(invalid)
        default: break
        }
        return nil
    }

    /// The canonical Polygon: a closed ring, in which the last corner repeats the first.
    /// - Throws: Parse error 111 (incorrect type) for malformed coordinates or fewer than three different corners, 107 (invalid
    ///   JSON) for a number that is too large.
    private func polygon(_ invalid: ParseError) throws(ParseError) -> JSONValue {
        guard let pairs = self["coordinates"]?.array, pairs.count >= 3 else { throw invalid }
        var corners: [JSONValue] = []
        var places: [[Double]] = []
        for pair in pairs {
            let numbers = pair.array?.compactMap(\.number) ?? []
            guard pair.array?.count == 2, numbers.count == 2 else { throw invalid }
            corners.append(.array([.number(try numbers[0].asFieldValue()), .number(try numbers[1].asFieldValue())]))
            places.append(numbers.map(\.double))
        }
        guard Set(places).count >= 3 else {
            throw ParseError(.incorrectType, "GeoJSON: Loop must have at least 3 different vertices")
        }
        if places.first != places.last { corners.append(corners[0]) }
        return ["__type": "Polygon", "coordinates": .array(corners)]
    }

    private func geoPoint(_ invalid: ParseError) throws(ParseError) -> JSONValue {
        guard let latitude = self["latitude"]?.number, let longitude = self["longitude"]?.number else { throw invalid }
        try Self.checkDegrees(latitude, "latitude", max: 90)
        try Self.checkDegrees(longitude, "longitude", max: 180)
        return [
            "__type": "GeoPoint", "latitude": .number(latitude.canonical), "longitude": .number(longitude.canonical),
        ]
    }

    private static func checkDegrees(_ degrees: JSONNumber, _ name: String, max: Int) throws(ParseError) {
        guard degrees.double.magnitude > Double(max) else { return }
        throw ParseError(
            .incorrectType, "GeoPoint \(name) out of bounds: \(degrees.text) is not in -\(max) to \(max).")
    }
}
