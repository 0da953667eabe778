import HTTPServer
import HTTPTypes
import HeaderNames
import ParseModel

/// What a client says about an uploaded file besides its name, type and content: in headers, or in the member `fileData` of a JSON body.
struct UploadDetails {
    /// The directory of the file; nil for none.
    let directory: String?

    /// - Throws: `ParseError` 122 (invalid file name) for a directory that is not a string.
    init(_ request: RoutedRequest) throws(ParseError) {
        let data = try request.parse.body.fields["fileData"]?.object ?? [:]
        let given = request.http.headers[.parseFileDirectory].map(JSONValue.string) ?? data["directory"]
        guard let given, given.isTruthy else {
            directory = nil
            return
        }
        guard let text = given.string else { throw ParseError(.invalidFileName, "The directory must be a string.") }
        directory = text
    }
}
