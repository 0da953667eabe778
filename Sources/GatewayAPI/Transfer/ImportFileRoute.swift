import HTTPServer
import HTTPTypes
import ParseModel
import StoreService

/// `PUT /import/files/{fileName}`: stores the content of a file under the name that it has in an export, so that the
/// objects of the export find it. Metadata, tags and content type are in the headers of an upload. Only a gateway without a
/// remote takes contents, because a remote names its files itself.
struct ImportFileRoute: Sendable {
    let files: any FileStore
    let hasRemote: Bool
    let responses: ResponseBuilder

    var routes: [Route] {
        let policy = RoutePolicy.ownMasterOnly.with {
            $0.body = .rows
            $0.readOnlyKey = .nothing(action: "import files")
        }
        return [
            Route(.put, "/import/files/{fileName}", "importFile", policy, takesRest: true) { request in
                .later { try await store(request) }
            }
        ]
    }

    /// - Throws: `ParseError` 119 (operation forbidden) in a replica, 122 (invalid file name), 130 (file save error)
    ///   for an empty content and for a name that belongs to another content.
    private func store(_ request: RoutedRequest) async throws -> HTTPServerResponse {
        guard !hasRemote else {
            throw ParseError(.operationForbidden, "Contents of files cannot be imported here: upload them as files.")
        }
        let isDryRun = request.parse.parameters.flag("dryRun")
        let segments = request.parameters[...]
        let name = FileName.joined(segments)
        if segments.count > 1 { try FileName.validate(directory: FileName.joined(segments.dropLast())) }
        // The name of a stored file is a client's name after 32 digits and an underscore.
        try FileName.validate(FileName.given(segments.last ?? ""))
        guard let draft = try (request.http.sink as? FileUploadSink)?.whole(), draft.size > 0 else {
            throw ParseError(.fileSaveError, "The body of an import of a file is its content.")
        }
        let content = try draft.finish()
        let details = try UploadDetails(request).kept
        let known = try files.file(name, as: request.principal)
        if let known, known.content != content {
            throw ParseError(.fileSaveError, "The gateway has another file with the name \(name).")
        }
        if let known, try Self.details(of: known) != details {
            throw ParseError(.fileSaveError, "The gateway has the file \(name) with other metadata or tags.")
        }
        let type = ContentType.of(name) ?? Self.contentType(in: request) ?? ContentType.unknown
        if let stored = known?.contentType, type != ContentType.unknown,
            ContentType.withCharset(ContentType.of(name) ?? stored) != ContentType.withCharset(type)
        {
            throw ParseError(.fileSaveError, "The gateway has the file \(name) with the content type \(stored).")
        }
        if known == nil, !isDryRun {
            _ = try await files.addFile(
                draft, name: name, contentType: type, details: details.isEmpty ? nil : details.jsonText,
                as: request.principal)
        }
        return responses.json(["name": .string(name), "made": .bool(known == nil)])
    }

    private static func contentType(in request: RoutedRequest) -> String? {
        request.http.headers[.contentType].flatMap { ContentType.isWellFormed($0) ? $0 : nil }
    }

    private static func details(of file: StoredFile) throws -> JSONObject {
        try file.details.flatMap { try JSONReader.read($0, depthMax: JSONReader.storedDepthMax).object } ?? [:]
    }
}
