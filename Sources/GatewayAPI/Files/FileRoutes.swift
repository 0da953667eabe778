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
    /// Downloads files from the remote; nil in a standalone gateway, and if the remote keeps no files.
    let remote: (any RemoteFiles)?
    /// Whether uploads are accepted; false in a replica whose remote keeps no files.
    let takesUploads: Bool
    let forwarded: ForwardedCalls
    let waits: RemoteWaits
    /// The spaces of the users of a personal replica, with the signatures of their files' addresses; nil in the space of a user.
    let users: (spaces: any UserSpaces, addresses: SignedAddresses)?
    /// The signatures of the addresses in a site replica; nil in another.
    let siteAddresses: SignedAddresses?
    /// Whether these are the files of one user of a personal replica.
    let isOfUser: Bool

    var routes: [Route] {
        // A download needs no key, because an image in a page cannot send one. File URLs are unguessable.
        let open = RoutePolicy.open(.embed)
        let changing = { (action: String) in RoutePolicy.parse.with { $0.readOnlyKey = .noFile(action: action) } }
        return [
            Route(.post, UploadBodies.pattern, "uploadFile", changing("create a file"), upload),
            Route(.get, "/files/{applicationId}/{fileName}", "getFile", open, get),
            // File metadata is not stored, as in most storage adapters of Parse Server.
            Route(.get, "/files/{applicationId}/metadata/{fileName}", "getFileMetadata", .open()) { _ in
                .now(responses.json([:]))
            },
            Route(.delete, "/files/{fileName}", "deleteFile", changing("delete a file")) { request in
                .later { try await delete(request) }
            },
        ]
    }

    // MARK: Uploads

    private func upload(_ request: RoutedRequest) throws -> RouteReply {
        let given = request.parameters[0]
        try FileName.validate(given)
        guard takesUploads else { throw ParseError(.fileSaveError, "This kind of remote keeps no files.") }
        guard let draft = try (request.http.sink as? FileUploadSink)?.whole(), draft.size > 0 else {
            throw ParseError(.fileSaveError, "Invalid file upload.")
        }
        guard draft.size <= bytesMax else { throw APIError.fileTooLarge }
        let sent = request.http.headers[.contentType].flatMap { $0.isEmpty ? nil : $0 }
        let type = sent ?? ContentType.of(given) ?? ContentType.unknown
        let name = FileName.unique(given, environment)
        let address = addresses.ownAddress(of: name, base: request.base)
        return .later {
            _ = try await store.addFile(draft, name: name, contentType: type, as: request.principal)
            var response = responses.json(["url": .string(address), "name": .string(name)], status: .created)
            response.headers[.location] = address
            return response
        }
    }

    // MARK: Downloads

    /// - Throws: `APIError.invalidApplicationId`.
    private func get(_ request: RoutedRequest) throws(APIError) -> RouteReply {
        guard applicationId == nil || applicationId == request.parameters[0] else { throw .invalidApplicationId }
        return .later {
            if let response = try await signed(request) { return response }
            return try await get(request.parameters[1], request)
        }
    }

    /// The answer to a signed address, from the space of its user; nil for another address.
    private func signed(_ request: RoutedRequest) async throws -> HTTPServerResponse? {
        let (name, parameters) = (request.parameters[1], request.parse.parameters)
        guard let users, let grant = try users.addresses.grant(of: name, parameters) else { return nil }
        var response = try await users.spaces.api(ofUser: grant.userId).handleHere(request.http).response()
        if [.ok, .partialContent, .notModified].contains(response.status) {
            response.headers[.cacheControl] = "private, max-age=\(grant.rest.components.seconds)"
        }
        return response
    }

    private func get(_ name: String, _ request: RoutedRequest) async throws -> HTTPServerResponse {
        var known = try store.file(name, as: request.principal)
        // A file of the remote that only users know. Its name is the right to read it.
        if known == nil, let users, try await users.spaces.shareFile(name) {
            known = try store.file(name, as: request.principal)
        }
        guard var file = known, try allows(request, to: file) else { return missing }
        let isUnsent = file.remoteURL == nil
        if file.name != name {
            var headers = responses.commonHeaders
            headers[.location] = addresses.address(of: file.name, base: request.base)
            return HTTPServerResponse(status: .found, headers: headers)
        }
        var content = store.contentPath(of: file).flatMap(OpenFile.init(path:))
        if content == nil, file.remoteURL != nil, let remote {
            do {
                file = try await waits.hold { [file] in try await remote.fetch(file) }
            } catch let error as ParseError where error.code == .objectNotFound {
                return missing
            }
            content = store.contentPath(of: file).flatMap(OpenFile.init(path:))
        }
        guard let content, let digest = file.content?.sha256 else { return missing }
        try? await remote?.noteUse(of: file)
        var response = response(file, content, tag: "\"\(digest)\"", request.http)
        // The name alone must not give the content to the next user of a browser.
        if isOfUser || siteAddresses != nil, isUnsent { response.headers[.cacheControl] = "private, no-cache" }
        return response
    }

    /// Whether a request may read a file. The name of a file on the remote is enough. In a site replica, another file is for the
    /// session of its author, the master key and signed addresses.
    /// - Throws: `APIError.forbidden` for a wrong or an expired signature.
    private func allows(_ request: RoutedRequest, to file: StoredFile) throws -> Bool {
        guard let siteAddresses, try !store.fileRights.opens(file, for: reader(request)) else { return true }
        return try siteAddresses.isSigned(file.name, request.parse.parameters)
    }

    /// The principal of a download. The route needs no key, so the master key is not checked before.
    private func reader(_ request: RoutedRequest) -> Principal {
        guard request.principal == .public else { return request.principal }
        let keyed = try? forwarded.keyCheck.principal(
            request.parse.credentials, isParse: false, isFromPage: true, peer: request.http.peer)
        return keyed ?? .public
    }

    /// The answer for a missing file, with the text of Parse Server.
    private var missing: HTTPServerResponse {
        var response = responses.text("File not found.")
        response.status = .notFound
        return response
    }

    private func response(
        _ file: StoredFile, _ content: OpenFile, tag: String, _ request: HTTPServerRequest
    ) -> HTTPServerResponse {
        var headers = responses.commonHeaders
        headers[.eTag] = tag
        headers[.acceptRanges] = "bytes"
        // The content under a file name never changes.
        headers[.cacheControl] = "private, max-age=31536000, immutable"
        if EntityTag.isKnown(tag, to: request.headers) {
            return HTTPServerResponse(status: .notModified, headers: headers)
        }
        // As in Parse Server, the file name takes precedence over the content type of the upload.
        let type = ContentType.of(file.name) ?? file.contentType ?? ContentType.unknown
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
        let given = request.parameters[0]
        let file = try store.file(given, as: request.principal)
        if remote != nil, file == nil || file?.remoteURL != nil {
            let response = try await forwarded.answer(request.naming(file: file?.name ?? given))
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
