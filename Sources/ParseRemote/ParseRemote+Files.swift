import HTTPClient
import HTTPTypes
import ParseModel
import RemoteService
import SyncModel

extension ParseRemote: RemoteFileService {
    /// Uploads a file. The server adds a random prefix to each name, so repeating an upload after a
    /// lost answer overwrites nothing.
    package func upload(_ file: FileUpload) async throws(RemoteError) -> FileReference {
        let answer = reader.read(try await response(to: requests.upload(file)))
        let object = try answer.orRemoteError().object
        guard let name = object?["name"]?.string, 1...Self.nameBytesMax ~= name.utf8.count,
            let url = object?["url"]?.string, url.utf8.count <= ParseRequests.urlBytesMax
        else {
            throw .faulty(status: 201, reason: "the answer to an upload has no name or no url, or too long ones")
        }
        return FileReference(name: name, url: url)
    }

    /// The maximum lengths of a file name and of a content type, in bytes.
    private static let (nameBytesMax, typeBytesMax) = (1024, 255)

    /// The maximum number of redirects in one download. Servers often redirect to a separate file storage.
    private static let redirectionsMax = 5

    /// Downloads a file without sending keys, because the URL may belong to another server. `fileSources` must allow
    /// the URL, and the URL of each redirect.
    package func download(
        _ url: String, into sink: any ContentSink
    ) async throws(RemoteError) -> String? {
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

    private func fetch(
        _ url: String, into sink: any ContentSink
    ) async throws(RemoteError) -> HTTPClientResponse {
        let sources = configuration.fileSources
        do {
            let request = try sources.request(for: url, of: WebAddress(configuration.serverURL))
            return try await transport.send(request) { bytes in
                do { try sink.write(bytes) } catch { return false }
                return true
            }
        } catch let error as FileSources.Refusal {
            throw .refused(code: ParseError.Code.operationForbidden.rawValue, message: error.reason)
        } catch let error as HTTPTransportError {
            guard case .forbidden(let address) = error else { throw remoteError(of: error) }
            let reason = sources.refusal(of: url, at: address).reason
            throw .refused(code: ParseError.Code.operationForbidden.rawValue, message: reason)
        } catch {
            throw .faulty(status: 0, reason: "the file cannot be asked for")
        }
    }
}
