import HTTPClient
import HTTPTypes
import ParseModel
import RemoteService

/// Files: their contents travel by themselves, and rows carry their names.
extension ParseRemote {
    /// The server puts something before the name that makes it another one each time: a content that is sent again, because
    /// the answer got lost, overwrites nothing.
    package func upload(_ file: FileUpload) async throws(RemoteError) -> FileReference {
        let answer = reader.read(try await response(to: requests.upload(file)))
        let object = try answer.orRemoteError().object
        guard let name = object?["name"]?.string, !name.isEmpty, let url = object?["url"]?.string else {
            throw .faulty(status: 201, reason: "the answer to an upload has no name or no url")
        }
        return FileReference(name: name, url: url)
    }

    /// Without keys: the address alone tells who may have the file, and it may be anybody's.
    package func download(
        _ url: String, into sink: any ContentSink
    ) async throws(RemoteError) -> String? {
        let response: HTTPClientResponse
        do {
            response = try await transport.send(requests.download(url)) { bytes in
                do { try sink.write(bytes) } catch { return false }
                return true
            }
        } catch {
            throw remoteError(of: error)
        }
        switch response.status.code {
        case 200: return response.headers[.contentType]
        case 404, 410: throw .refused(code: ParseError.Code.objectNotFound.rawValue, message: "The file is not there.")
        case 401, 403: throw .unauthorized(message: "HTTP \(response.status.code)")
        case 429, 503: throw .overloaded(retryAfter: response.retryAfter, reason: "HTTP \(response.status.code)")
        default: throw .faulty(status: response.status.code, reason: "HTTP \(response.status.code)")
        }
    }
}
