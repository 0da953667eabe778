import ParseModel
import RemoteService
import SyncModel

extension DatasyncRemote {
    /// A client may give a file any name. The rows give it the name that `TableFile` makes of its URL.
    package func named(_ file: FileReference) -> FileReference { file.url.flatMap(TableFile.file) ?? file }

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
        guard let max = knowledge.dialect?.rules.bodyBytesMax else { return nil }
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
