import ParseModel

/// Which files of a class come here from the remote, and when.
package struct FileDownloads: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// After the pull that has brought their names, in the background.
        case eager
        /// When somebody reads them for the first time.
        case lazy
        /// Never: clients get the remote's address.
        case none
    }

    package var standard: Kind
    /// Of single fields, where that is another.
    package var byField: [String: Kind]

    package init(standard: Kind = .lazy, byField: [String: Kind] = [:]) {
        self.standard = standard
        self.byField = byField
    }

    package func download(of field: String) -> Kind { byField[field] ?? standard }
}

/// `"eager"`, or by field: `{"photo": "eager", "*": "none"}`, where `*` stands for all others.
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
