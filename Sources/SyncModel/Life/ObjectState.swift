import ParseModel

/// An object's content at one time, without class and id.
package struct ObjectState: Sendable, Hashable {
    package var createdAt: ParseDate
    package var updatedAt: ParseDate
    /// All fields except objectId, createdAt and updatedAt.
    package var fields: JSONObject
    /// The remote's version of the row; nil if the remote has no versions.
    package var version: String?

    package init(createdAt: ParseDate, updatedAt: ParseDate, fields: JSONObject, version: String? = nil) {
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.fields = fields
        self.version = version
    }

    /// Reads an object from Parse JSON; nil if a date is missing or invalid.
    package init?(json object: JSONObject) {
        guard let createdAt = object["createdAt"]?.string.flatMap(ParseDate.init(iso:)),
            let updatedAt = object["updatedAt"]?.string.flatMap(ParseDate.init(iso:))
        else { return nil }
        var fields = object
        fields.removeAll { ["objectId", "createdAt", "updatedAt"].contains($0) }
        self.init(createdAt: createdAt, updatedAt: updatedAt, fields: fields)
    }

    /// The object as Parse JSON text.
    package func jsonText(objectId: String) -> String {
        var writer = JSONWriter(reserving: 512)
        writer.raw("{\"objectId\":")
        writer.write(objectId)
        writer.raw(",\"createdAt\":\"\(createdAt.iso)\",\"updatedAt\":\"\(updatedAt.iso)\"")
        for (key, value) in fields {
            writer.raw(",")
            writer.write(key)
            writer.raw(":")
            writer.write(value)
        }
        writer.raw("}")
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
