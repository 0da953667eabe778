import Foundation
import HTTPServer
import HTTPTypes
import LocalStore
import ParseModel

/// What the local API needs to have a file fetched that is on the remote and not here.
package protocol RemoteFiles: Sendable {
    /// Brings the content here; requests for the same file share one fetching.
    /// - Throws: `APIError.remoteUnreachable` and its like; `ParseError.objectNotFound` where the remote has no such file.
    func fetch(_ file: StoredFile) async throws -> StoredFile
}

/// `/files/…`: uploads, downloads and removals.
struct FileRoutes: Sendable {
    let store: any FileStore
    let addresses: FileAddresses
    /// The one that addresses have to name; nil for any.
    let applicationId: String?
    let answers: Answers
    let environment: Environment
    /// The largest file that is taken, in bytes.
    let bytesMax: Int
    /// Nil in a standalone gateway.
    let remote: (any RemoteFiles)?
    let forwarded: ForwardedCalls
    let waits: RemoteWaits

    // MARK: Uploads

    func isUpload(_ request: HTTPServerRequest) -> Bool {
        // Most requests are about objects.
        guard request.method == .post, request.path.contains("/files/"), let path = try? RoutePath(request.path)
        else { return false }
        return RouteTable.match(.post, path)?.endpoint == .uploadFile
    }

    /// Takes the body of an upload.
    func sink(for head: HTTPServerRequest) -> FileUploadSink {
        FileUploadSink(store: store, bytesMax: Self.mayBeEnvelope(head) ? envelopeBytesMax : bytesMax)
    }

    /// Base64 makes four bytes of three, and other members stand around it.
    private var envelopeBytesMax: Int { bytesMax / 3 * 4 + 65_536 }

    /// How large an upload may be that may bring its key in its body, in memory; nil where it cannot bring one.
    func envelopeBytesMax(of head: HTTPServerRequest) -> Int? {
        Self.mayBeEnvelope(head) ? min(envelopeBytesMax, Self.lockedBytesMax) : nil
    }

    private static let lockedBytesMax = 64 << 20

    /// The credentials of an upload that is in memory.
    /// - Throws: `APIError.malformedContext`.
    func credentials(of request: HTTPServerRequest) throws -> Credentials {
        var credentials = try Credentials(request.headers)
        guard Self.mayBeEnvelope(request), let envelope = FileEnvelope(Data(request.body)) else { return credentials }
        _ = try credentials.take(from: envelope.rest)
        return credentials
    }

    /// The upload with its content in a sink of its own, and what else came with it as the body.
    /// - Throws: `ParseError` 130 for a content that is none, and errors of the store.
    func unwrapped(_ request: HTTPServerRequest) throws -> HTTPServerRequest {
        var request = request
        if request.sink == nil {
            let sink = sink(for: request)
            try request.body.withUnsafeBytes { try sink.write($0) }
            request.sink = sink
            request.body = []
        }
        guard let sink = request.sink as? FileUploadSink, Self.mayBeEnvelope(request),
            let envelope = FileEnvelope(try sink.whole().mapped())
        else { return request }
        // JSON without credentials is a file like any other.
        guard envelope.hasContent || envelope.rest["_method"] != nil else { return request }
        let content = FileUploadSink(store: store, bytesMax: bytesMax)
        if envelope.hasContent { try envelope.decode(into: content.whole()) }
        request.sink = content
        var rest = envelope.rest
        if envelope.hasContent {
            let type = rest["_ContentType"]?.string
            request.headers[.contentType] = type.flatMap { HTTPField.isValidValue($0) ? $0 : nil }
        }
        for name in ["base64", "fileData"] { rest[name] = nil }
        request.body = rest.jsonBytes
        return request
    }

    /// As a Parse Server does: what names its application in the headers sends the content itself.
    private static func mayBeEnvelope(_ request: HTTPServerRequest) -> Bool {
        request.headers[.parseApplicationId] == nil
    }

    func upload(_ call: Call) throws -> @Sendable () async throws -> HTTPServerResponse {
        let given = call.parameters[0]
        try FileName.validate(given)
        guard let draft = try (call.http.sink as? FileUploadSink)?.whole(), draft.size > 0 else {
            throw ParseError(.fileSaveError, "Invalid file upload.")
        }
        guard draft.size <= bytesMax else { throw APIError.fileTooLarge }
        let sent = call.http.headers[.contentType].flatMap { $0.isEmpty ? nil : $0 }
        let type = sent ?? ContentType.of(given) ?? ContentType.unknown
        let name = FileName.unique(given, environment)
        let address = addresses.address(of: name, base: call.base)
        return { [store, answers] in
            _ = try await store.addFile(draft, name: name, contentType: type)
            var response = answers.json(["url": .string(address), "name": .string(name)], status: .created)
            response.headers[.location] = address
            return response
        }
    }

    /// Why a file is not taken that comes without a name.
    static let nameless = ParseError(.invalidFileName, "Filename not provided.")

    // MARK: Downloads

    /// - Throws: `APIError.invalidApplicationId`.
    func get(_ call: Call) throws(APIError) -> @Sendable () async throws -> HTTPServerResponse {
        guard applicationId == nil || applicationId == call.parameters[0] else { throw .invalidApplicationId }
        let (name, request, base) = (call.parameters[1], call.http, call.base)
        return { try await get(name, request, base: base) }
    }

    private func get(_ name: String, _ request: HTTPServerRequest, base: String) async throws -> HTTPServerResponse {
        guard var file = try store.file(name) else { return missing }
        if file.name != name {
            var headers = answers.commonHeaders
            headers[.location] = addresses.address(of: file.name, base: base)
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
        if remote != nil { try? await store.noteUse(of: file) }
        return response(file, content, tag: "\"\(digest)\"", request)
    }

    /// In Parse Server's words.
    private var missing: HTTPServerResponse {
        var response = answers.text("File not found.")
        response.status = .notFound
        return response
    }

    private func response(
        _ file: StoredFile, _ content: OpenFile, tag: String, _ request: HTTPServerRequest
    ) -> HTTPServerResponse {
        var headers = answers.commonHeaders
        headers[.eTag] = tag
        headers[.acceptRanges] = "bytes"
        // A name never gets another content.
        headers[.cacheControl] = "private, max-age=31536000, immutable"
        if EntityTag.isKnown(tag, to: request.headers) {
            return HTTPServerResponse(status: .notModified, headers: headers)
        }
        // As on a Parse Server, the name precedes the type of the upload.
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
            var headers = answers.commonHeaders
            headers[.contentRange] = "bytes */\(size)"
            return HTTPServerResponse(status: .rangeNotSatisfiable, headers: headers)
        }
    }

    // MARK: Removals

    /// The remote's files are the remote's to remove; what only this gateway has goes here.
    func delete(_ call: Call) -> @Sendable () async throws -> HTTPServerResponse {
        { [self] in
            let file = try store.file(call.parameters[0])
            if remote != nil, file == nil || file?.remoteURL != nil {
                let response = try await forwarded.answer(call.naming(file: file?.name ?? call.parameters[0]))
                if response.status.kind == .successful, let file { try await store.deleteFile(file.name) }
                return response
            }
            try call.requireMaster()
            guard let file else { throw ParseError(.fileDeleteError, "Could not delete file.") }
            try await store.deleteFile(file.name)
            return answers.json([:])
        }
    }
}

extension Call {
    /// The same call about a file by another name.
    fileprivate func naming(file name: String) -> Call {
        var path = path
        path.segments = ["files", name]
        return Call(endpoint, [name], parse, path, http, isMaster: isMaster)
    }
}
