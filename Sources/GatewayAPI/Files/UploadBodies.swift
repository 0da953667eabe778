import Foundation
import HTTPServer
import HTTPTypes
import HeaderNames
import ParseModel
import StoreService

/// Creates the sinks for the bodies of uploads, and extracts the content of the file from a body.
struct UploadBodies: Sendable {
    let store: any FileStore
    /// The largest accepted upload, in bytes.
    let bytesMax: Int

    /// Creates the sink for the body of an upload.
    /// - Parameter principal: the principal of the keys in the headers. A maximum size in the headers that this
    ///   principal may not set is refused after the body is read.
    func sink(for head: HTTPServerRequest, of principal: Principal = .public) -> FileUploadSink {
        let sizeMax = sizeMax(of: head, principal)
        return FileUploadSink(
            store: store, bytesMax: Self.mayBeEnvelope(head) ? Self.envelopeBytesMax(sizeMax) : sizeMax)
    }

    /// Creates the sink for the objects of an import. They are limited like the content of a file, except with the
    /// master key or the maintenance key.
    func rowsSink(of principal: Principal) -> FileUploadSink {
        FileUploadSink(store: store, bytesMax: principal.writesEverything ? Self.rowsBytesMax : bytesMax)
    }

    /// The request with its body in a sink, also if the request was made without a socket and has its body in memory.
    func rowsInSink(_ request: HTTPServerRequest) throws -> HTTPServerRequest {
        guard request.sink == nil else { return request }
        var request = request
        let sink = rowsSink(of: .master)
        try request.body.withUnsafeBytes { try sink.write($0) }
        (request.sink, request.body) = (sink, [])
        return request
    }

    /// The maximum size of an import, in bytes. The disk is a lower limit.
    private static let rowsBytesMax = 1 << 40

    /// The maximum size of the content of an upload, in bytes.
    func sizeMax(of head: HTTPServerRequest, _ principal: Principal) -> Int {
        (try? UploadSize.bytesMax(of: head, by: principal, standard: bytesMax)) ?? bytesMax
    }

    /// The maximum size in bytes of an upload in JSON. Base64 needs four bytes for three bytes of content. 64 KiB are
    /// added for the other members.
    private static func envelopeBytesMax(_ bytesMax: Int) -> Int { bytesMax / 3 * 4 + 65_536 }

    /// The maximum size in bytes of an upload whose key may be in the body. Such an upload stays in memory until its
    /// key is checked. Nil if the body cannot contain a key.
    func envelopeBytesMax(of head: HTTPServerRequest) -> Int? {
        Self.mayBeEnvelope(head) ? min(Self.envelopeBytesMax(bytesMax), Self.lockedBytesMax) : nil
    }

    private static let lockedBytesMax = 64 << 20

    /// The credentials of an upload, from its headers and its JSON body.
    /// - Throws: `APIError.malformedContext`, and the error with which writing the body to disk has failed.
    func credentials(of request: HTTPServerRequest) throws -> Credentials {
        var credentials = try Credentials(request.headers)
        guard Self.mayBeEnvelope(request) else { return credentials }
        let body = try (request.sink as? FileUploadSink)?.whole().mapped() ?? Data(request.body)
        guard let envelope = FileEnvelope(body), request.sink == nil || envelope.isUpload else { return credentials }
        _ = try credentials.take(from: envelope.rest)
        return credentials
    }

    /// The upload with the file's content in a sink. A body that is a `FileEnvelope` is decoded, and its other JSON members
    /// become the new body.
    /// - Throws: `ParseError` 130 (file save error) for invalid base64 and a malformed content type, `HTTPBodyRefusal` if the body cannot be written to disk,
    ///   and errors of the store.
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
        guard envelope.isUpload else { return request }
        let content = FileUploadSink(store: store, bytesMax: bytesMax)
        if envelope.hasContent { try envelope.decode(into: content.whole()) }
        request.sink = content
        var rest = envelope.rest
        if envelope.hasContent {
            request.headers[.contentType] = try Self.type(in: rest)
        }
        rest["base64"] = nil
        request.body = rest.jsonBytes
        return request
    }

    /// The content type that an envelope names; nil for none.
    private static func type(in envelope: JSONObject) throws(ParseError) -> String? {
        guard let value = envelope["_ContentType"], value.isTruthy else { return nil }
        guard let type = value.string, ContentType.isWellFormed(type) else { throw .invalidContentType }
        return type
    }

    /// Whether the body may be a `FileEnvelope`. As in Parse Server, a client that names its application in the headers sends
    /// the plain content. So does a client with the upload mode `stream`.
    private static func mayBeEnvelope(_ request: HTTPServerRequest) -> Bool {
        request.headers[.parseApplicationId] == nil && UploadMode(request) == .buffered
    }
}
