import HTTPServer
import HTTPTypes
import HeaderNames
import ParseModel

/// The directory, the metadata and the tags that a client sends with an uploaded file, in headers or in the member
/// `fileData` of a JSON body.
struct UploadDetails {
    /// The directory of the file; nil for none.
    let directory: String?
    /// The metadata and the tags of the file, as the members `metadata` and `tags`. Empty ones are left out.
    let kept: JSONObject

    /// The maximum size of metadata and tags together, in bytes of JSON.
    private static let keptBytesMax = 64 << 10

    /// - Throws: `ParseError` 107 (invalid JSON) for metadata or tags that are no object, 116 (object too large), 122 (invalid file
    ///   name) for a directory that is not a string.
    init(_ request: RoutedRequest) throws(ParseError) {
        let data = try request.parse.body.fields["fileData"]?.object ?? [:]
        let headers = request.http.headers
        var kept = JSONObject()
        for (name, header) in [("metadata", HTTPField.Name.parseFileMetadata), ("tags", .parseFileTags)] {
            guard let given = try Self.json(headers[header], name) ?? data[name], !given.isNull else { continue }
            guard let object = given.object else { throw Self.malformed(name) }
            if !object.isEmpty { kept[name] = .object(object) }
        }
        guard kept.jsonBytes.count <= Self.keptBytesMax else {
            throw ParseError(
                .objectTooLarge, "The metadata and tags of a file are larger than \(Self.keptBytesMax) bytes.")
        }
        self.kept = kept
        let given = headers[.parseFileDirectory].map(JSONValue.string) ?? data["directory"]
        guard let given, given.isTruthy else {
            directory = nil
            return
        }
        guard let text = given.string else { throw ParseError(.invalidFileName, "The directory must be a string.") }
        directory = text
    }

    private static func json(_ header: String?, _ name: String) throws(ParseError) -> JSONValue? {
        guard let header else { return nil }
        guard let json = try? JSONReader.read(header) else { throw malformed(name) }
        return json
    }

    private static func malformed(_ name: String) -> ParseError {
        ParseError(.invalidJSON, "The \(name) of a file must be a JSON object.")
    }
}
