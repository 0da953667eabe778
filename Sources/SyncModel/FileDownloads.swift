import ParseModel

/// When the gateway downloads the files of each file field of a class.
package struct FileDownloads: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// In the background, after a pull of the objects that contain the files.
        case eager
        /// When a client first reads the file.
        case lazy
        /// Never: clients receive the remote's URL.
        case none
    }

    /// The kind of download for the fields that `byField` does not name.
    package var standard: Kind
    /// The kind of download for each named field.
    package var byField: [String: Kind]

    package init(standard: Kind = .lazy, byField: [String: Kind] = [:]) {
        self.standard = standard
        self.byField = byField
    }

    package func download(of field: String) -> Kind { byField[field] ?? standard }
}

/// The JSON form: `"eager"` for all fields, or `{"photo": "eager", "*": "none"}` by field, where `*` means all other fields.
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
