import HTTPClient
import HTTPTypes
import ParseModel
import RemoteService

/// Downloads the content of a file from the URL in a row. Sends no keys, because the URL may belong to another server. `sources`
/// must allow the URL, and the URL of each redirect.
package struct RemoteDownload: Sendable {
    private let sources: FileSources
    private let serverURL: String
    private let transport: any HTTPTransport
    private let cleaner: MessageCleaner

    /// - Parameter serverURL: the URL of the remote.
    package init(sources: FileSources, serverURL: String, transport: any HTTPTransport, cleaner: MessageCleaner) {
        self.sources = sources
        self.serverURL = serverURL
        self.transport = transport
        self.cleaner = cleaner
    }

    /// The maximum length of a content type in bytes.
    private static let typeBytesMax = 255

    /// The maximum number of redirects in one download. Servers often redirect to a separate file storage.
    private static let redirectionsMax = 5

    /// - Returns: the content type; nil if the answer has none.
    /// - Throws: as `RemoteFileService.download`.
    package func download(_ url: String, into sink: any ContentSink) async throws(RemoteError) -> String? {
        var response = try await fetch(url, into: sink)
        for _ in 0..<Self.redirectionsMax {
            guard response.status.kind == .redirection, let next = response.redirectURL else { break }
            response = try await fetch(next, into: sink)
        }
        switch response.status.code {
        case 200: return response.headers[.contentType].flatMap { $0.utf8.count <= Self.typeBytesMax ? $0 : nil }
        case 404, 410: throw .refused(code: ParseError.Code.objectNotFound.rawValue, message: "The file is not there.")
        case 401, 403: throw .unauthorized(message: "HTTP \(response.status.code)")
        case 429, 503: throw .overloaded(retryAfter: response.retryAfter, reason: "HTTP \(response.status.code)")
        default: throw .faulty(status: response.status.code, reason: "HTTP \(response.status.code)")
        }
    }

    private func fetch(_ url: String, into sink: any ContentSink) async throws(RemoteError) -> HTTPClientResponse {
        do {
            let request = try sources.request(for: url, of: WebAddress(serverURL))
            return try await transport.send(request) { bytes in
                do { try sink.write(bytes) } catch { return false }
                return true
            }
        } catch let error as FileSources.Refusal {
            throw .refused(code: ParseError.Code.operationForbidden.rawValue, message: error.reason)
        } catch let error as HTTPTransportError {
            guard case .forbidden(let address) = error else { throw cleaner.remoteError(of: error) }
            let reason = sources.refusal(of: url, at: address).reason
            throw .refused(code: ParseError.Code.operationForbidden.rawValue, message: reason)
        } catch {
            throw .faulty(status: 0, reason: "the file cannot be asked for")
        }
    }
}
