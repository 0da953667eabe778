/// A file value: `{"__type":"File","name":…,"url":…}`.
package struct FileReference: Hashable, Sendable {
    package let name: String
    package let url: String?

    package init(name: String, url: String?) {
        self.name = name
        self.url = url
    }

    package init?(_ value: JSONValue) {
        guard let object = value.object, object["__type"] == "File", let name = object["name"]?.string else {
            return nil
        }
        self.init(name: name, url: object["url"]?.string)
    }

    /// The file with its name alone.
    package var withoutURL: FileReference { FileReference(name: name, url: nil) }

    /// The file, with its URL only if the scheme is `http` or `https`. Other URLs, such as `javascript:…`, could be run
    /// by a browser.
    package var withoutForeignScheme: FileReference {
        guard let url else { return self }
        let isOfWeb = ["http://", "https://"].contains { url.lowercased().hasPrefix($0) }
        return isOfWeb ? self : FileReference(name: name, url: nil)
    }

    /// The file value in Parse's JSON format.
    package var json: JSONValue {
        var json: JSONObject = ["__type": "File", "name": .string(name)]
        json["url"] = url.map(JSONValue.string)
        return .object(json)
    }
}
