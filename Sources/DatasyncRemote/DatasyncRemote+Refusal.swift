import ParseModel
import RemoteService
import SyncModel

extension DatasyncRemote {
    /// The file with the name that `TableFile` makes of its URL. A client may give a file any name, but the rows of the
    /// table keep only the URL. A URL of this gateway is left out, because it is no address of the file on the remote.
    package func named(_ file: FileReference) -> FileReference {
        guard let url = file.url, let made = TableFile.file(at: url), made.name != file.name else { return file }
        return TableFile.isGatewayURL(url, of: file.name) ? FileReference(name: file.name, url: nil) : made
    }

    /// The reason why no table can store a write of these fields: a value or a name that no column can have, or too many bytes.
    /// - Parameter fields: the fields that the write changes, with their values after the write.
    package func refusal(of fields: JSONObject, in className: String, mapping: ClassMapping) -> ParseError? {
        let values = TableValues(mapping: mapping)
        var row = JSONObject()
        for (field, value) in fields {
            do {
                row[field] = try values.column(value, of: field)
            } catch {
                return error
            }
        }
        guard let max = knowledge.expectedDialect?.rules.bodyBytesMax else { return nil }
        let size = row.jsonBytes.count
        guard size > max else { return nil }
        return .tooLarge(size, max: max)
    }
}

extension ParseError {
    /// The error for a body that the server does not accept.
    static func tooLarge(_ size: Int, max: Int) -> ParseError {
        ParseError(.objectTooLarge, "The object has \(size) bytes as JSON; the remote accepts at most \(max).")
    }
}
