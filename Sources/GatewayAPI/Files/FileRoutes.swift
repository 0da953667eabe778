import Foundation
import HTTPServer
import HTTPTypes
import ParseModel
import StoreService

/// `/files/…`: uploads, downloads and deletions.
struct FileRoutes: Sendable {
    let store: any FileStore
    let addresses: FileAddresses
    /// The application id that download URLs must name; nil to accept any.
    let applicationId: String?
    let responses: ResponseBuilder
    let environment: Environment
    /// The largest accepted upload, in bytes.
    let bytesMax: Int
    let extensions: FileExtensions
    let remote: Remote
    let readers: any FileReadRights
    let waits: RemoteWaits
    /// Makes the small forms of pictures; nil if the gateway makes none.
    let thumbnails: (any Thumbnails)?

    /// Whether there is a remote, and whether it keeps files.
    enum Remote: Sendable {
        /// There is no remote.
        case none
        /// The remote keeps no files, so uploads are refused.
        case withoutFiles
        /// The remote keeps files. `RemoteFiles` downloads them, and forwarded calls delete them.
        case files(any RemoteFiles, ForwardedCalls)

        fileprivate var downloads: (any RemoteFiles)? {
            if case .files(let files, _) = self { files } else { nil }
        }
    }

    var routes: [Route] {
        // A download needs no key, because an image in a page cannot send one. File URLs are unguessable.
        let open = RoutePolicy.open(.embed).with { $0.sessions = .ofFile }
        let changing = { (action: String) in RoutePolicy.parse.with { $0.readOnlyKey = .noFile(action: action) } }
        return [
            Route(.post, "/files/{fileName}", "uploadFile", changing("create a file").with { $0.body = .file }, upload),
            Route(
                .get, "/files/{applicationId}/metadata/{fileName}", "getFileMetadata",
                RoutePolicy.open().with { $0.sessions = .ofFile }, takesRest: true
            ) { request in .now(responses.json(try details(of: request))) },
            Route(.get, "/files/{applicationId}/{fileName}", "getFile", open, takesRest: true, get),
            Route(.delete, "/files/{fileName}", "deleteFile", changing("delete a file"), takesRest: true) { request in
                .later { try await delete(request) }
            },
        ]
    }

    // MARK: Uploads

    private func upload(_ request: RoutedRequest) throws -> RouteReply {
        let given = request.parameters[0]
        try FileName.validate(given)
        if case .withoutFiles = remote {
            throw ParseError(.fileSaveError, "This kind of remote keeps no files.")
        }
        let sizeMax = try UploadSize.bytesMax(of: request.http, by: request.principal, standard: bytesMax)
        let details = try UploadDetails(request)
        let directory = try directory(in: details, of: request)
        guard let draft = try (request.http.sink as? FileUploadSink)?.whole(), draft.size > 0 else {
            throw ParseError(.fileSaveError, "Invalid file upload.")
        }
        guard draft.size <= sizeMax else { throw UploadMode(request.http).tooLong(bytesMax: sizeMax) }
        let sent = request.http.headers[.contentType].flatMap { $0.isEmpty ? nil : $0 }
        if let sent, !ContentType.isWellFormed(sent) { throw ParseError.invalidContentType }
        let known = ContentType.of(given)
        if !request.principal.writesEverything { try extensions.check(given, type: known == nil ? sent : nil) }
        let type = known ?? sent ?? ContentType.unknown
        let name = FileName.unique(given, in: directory, environment)
        let address = addresses.ownAddress(of: name, base: request.base)
        return .later {
            _ = try await store.addFile(
                draft, name: name, contentType: type, details: details.kept.isEmpty ? nil : details.kept.jsonText,
                as: request.principal)
            var response = responses.json(["url": .string(address), "name": .string(name)], status: .created)
            response.headers[.location] = address
            return response
        }
    }

    /// The directory in which a client with the master key puts a file; nil for none.
    /// - Throws: `ParseError` 119 (operation forbidden) without the master key, 122 (invalid file name).
    private func directory(in details: UploadDetails, of request: RoutedRequest) throws -> String? {
        guard let directory = details.directory else { return nil }
        guard request.principal.isMaster else {
            throw ParseError.denial(.operationForbidden, "The master key is required for the directory of a file.")
        }
        guard case .none = remote else {
            throw ParseError(.operationForbidden, "A replica keeps no directories of files.")
        }
        try FileName.validate(directory: directory)
        return directory
    }

    // MARK: Downloads

    /// - Throws: `APIError.invalidApplicationId`.
    private func get(_ request: RoutedRequest) throws -> RouteReply {
        try checkApplication(request)
        let size = try request.parse.parameters.text("thumb").map(ThumbnailSize.init)
        return .later { try await get(FileName.joined(request.parameters.dropFirst()), thumbnail: size, request) }
    }

    /// - Throws: `APIError.invalidApplicationId`.
    private func checkApplication(_ request: RoutedRequest) throws(APIError) {
        guard applicationId == nil || applicationId == request.parameters[0] else { throw .invalidApplicationId }
    }

    /// - Parameter thumbnail: the size of the thumbnail to answer with; nil for the file itself.
    private func get(
        _ name: String, thumbnail size: ThumbnailSize?, _ request: RoutedRequest
    ) async throws -> HTTPServerResponse {
        var known = try store.file(name, as: request.principal)
        if known == nil, try await readers.find(name) {
            known = try store.file(name, as: request.principal)
        }
        guard var file = known, try readers.allows(request, to: file) else { return missing }
        let cacheControl = readers.cacheControl(of: file, request)
        if file.name != name {
            var headers = responses.commonHeaders
            let address = addresses.address(of: file.name, base: request.base)
            headers[.location] = address + (size.map { $0.query(after: address) } ?? "")
            return HTTPServerResponse(status: .found, headers: headers)
        }
        var content = store.contentPath(of: file).flatMap(OpenFile.init(path:))
        if content == nil, file.remoteURL != nil, let downloads = remote.downloads {
            do {
                file = try await waits.hold { [file] in try await downloads.fetch(file) }
            } catch let error as ParseError where error.code == .objectNotFound {
                return missing
            }
            content = store.contentPath(of: file).flatMap(OpenFile.init(path:))
        }
        guard let content, let digest = file.content?.sha256 else { return missing }
        try? await remote.downloads?.noteUse(of: file)
        var response =
            if let size {
                await self.thumbnail(of: file, digest, size, request.http)
            } else {
                self.response(file, content, tag: "\"\(digest)\"", request.http)
            }
        if let cacheControl, [.ok, .partialContent, .notModified].contains(response.status) {
            response.headers[.cacheControl] = cacheControl
        }
        return response
    }

    /// The metadata and tags of a file. Empty for a missing file, and for one that the caller may not read.
    /// - Throws: `APIError.invalidApplicationId`, as for the file.
    private func details(of request: RoutedRequest) throws -> JSONObject {
        try checkApplication(request)
        let name = FileName.joined(request.parameters.dropFirst())
        guard let file = try store.file(name, as: request.principal), try readers.allows(request, to: file) else {
            return [:]
        }
        return file.details.flatMap { try? JSONReader.read($0, depthMax: JSONReader.storedDepthMax).object } ?? [:]
    }

    /// The answer for a missing file, with the text of Parse Server.
    private var missing: HTTPServerResponse {
        var response = responses.text("File not found.")
        response.status = .notFound
        return response
    }

    private func thumbnail(
        of file: StoredFile, _ digest: String, _ size: ThumbnailSize, _ request: HTTPServerRequest
    ) async -> HTTPServerResponse {
        guard let path = store.contentPath(of: file),
            let thumbnail = await thumbnails?.thumbnail(of: path, digest: digest, size),
            let content = OpenFile(path: thumbnail.path)
        else {
            var response = responses.text("This file has no thumbnail.")
            response.status = .unsupportedMediaType
            return response
        }
        let tag = "\"\(digest)-\(size.width)x\(size.height)\""
        return response(content, type: thumbnail.contentType, tag: tag, request)
    }

    private func response(
        _ file: StoredFile, _ content: OpenFile, tag: String, _ request: HTTPServerRequest
    ) -> HTTPServerResponse {
        // The content type of a file from the remote, or of a file that an earlier version has stored, may be
        // malformed.
        let known = ContentType.of(file.name) ?? file.contentType
        let type = known.flatMap { ContentType.isWellFormed($0) ? $0 : nil } ?? ContentType.unknown
        return response(content, type: type, tag: tag, request)
    }

    private func response(
        _ content: OpenFile, type: String, tag: String, _ request: HTTPServerRequest
    ) -> HTTPServerResponse {
        var headers = responses.commonHeaders
        headers[.eTag] = tag
        headers[.acceptRanges] = "bytes"
        // The content under a file name never changes.
        headers[.cacheControl] = "private, max-age=31536000, immutable"
        if EntityTag.isKnown(tag, to: request.headers) {
            return HTTPServerResponse(status: .notModified, headers: headers)
        }
        headers[.contentType] = ContentType.withCharset(type)
        headers[.contentSecurityPolicy] = "default-src 'none'; sandbox"
        if !ContentType.isHarmless(type) { headers[.contentDisposition] = "attachment" }
        let size = content.byteCount
        switch ByteRange(request.headers, size: size, tag: tag) {
        case .whole:
            return HTTPServerResponse(
                status: .ok, headers: headers, content: .file(FileRange(content, offset: 0, count: size)))
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
            return HTTPServerResponse(
                status: .partialContent, headers: headers,
                content: .file(FileRange(content, offset: range.lowerBound, count: Int64(range.count))))
        case .unsatisfiable:
            var headers = responses.commonHeaders
            headers[.contentRange] = "bytes */\(size)"
            return HTTPServerResponse(status: .rangeNotSatisfiable, headers: headers)
        }
    }

    // MARK: Deletions

    /// Deletes a file. A replica forwards the request for a remote's file or an unknown file. Any other file is deleted locally.
    private func delete(_ request: RoutedRequest) async throws -> HTTPServerResponse {
        let given = FileName.joined(request.parameters[...])
        let file = try store.file(given, as: request.principal)
        if case .files(_, let calls) = remote, file == nil || file?.remoteURL != nil {
            let response = try await calls.answer(request.naming(file: file?.name ?? given))
            if response.status.kind == .successful, let file {
                try await store.deleteFile(file.name, as: request.principal)
            }
            return response
        }
        try request.requireMaster()
        guard let file else { throw ParseError(.fileDeleteError, "Could not delete file.") }
        try await store.deleteFile(file.name, as: request.principal)
        return responses.json([:])
    }
}

/// Downloads files that exist only on the remote.
package protocol RemoteFiles: Sendable {
    /// Downloads the content of a file into the store. Concurrent requests for the same file share one download.
    /// - Returns: the file, with the digest and size of its content.
    /// - Throws: `APIError` if the remote sends no content; `ParseError.objectNotFound` if the remote has no such file.
    func fetch(_ file: StoredFile) async throws -> StoredFile

    /// Notes that a client has read the content of a file.
    func noteUse(of file: StoredFile) async throws
}
