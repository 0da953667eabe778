import ParseModel

/// The time at which the files of a class are downloaded, with exceptions for single fields.
package struct FileDownloads: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// In the background, after the pull of the objects that refer to them.
        case eager
        /// At the first read.
        case lazy
        /// Never: clients receive the remote's URL.
        case none
    }

    package var standard: Kind
    /// Exceptions for single fields.
    package var byField: [String: Kind]

    package init(standard: Kind = .lazy, byField: [String: Kind] = [:]) {
        self.standard = standard
        self.byField = byField
    }

    package func download(of field: String) -> Kind { byField[field] ?? standard }
}

/// The stored form: `"eager"`, or by field `{"photo": "eager", "*": "none"}`, where `*` means all other fields.
extension FileDownloads {
    package init?(json: JSONValue) {
        if let kind = json.string.flatMap(Kind.init(rawValue:)) {
            self.init(standard: kind)
            return
        }
        guard let object = json.object else { return nil }
        self.init()
        for (field, value) in object {
            guard let kind = value.string.flatMap(Kind.init(rawValue:)) else { return nil }
            if field == "*" { standard = kind } else { byField[field] = kind }
        }
    }

    package var json: JSONValue {
        guard !byField.isEmpty else { return .string(standard.rawValue) }
        var object: JSONObject = ["*": .string(standard.rawValue)]
        for (field, kind) in byField.sorted(by: { $0.key < $1.key }) { object[field] = .string(kind.rawValue) }
        return .object(object)
    }
}
