import HTTPClient
import ParseModel
import RemoteHTTP
import RemoteService
import SyncModel

/// Uploads files to a Parse Server and downloads them.
struct ParseFiles: RemoteFileService {
    let exchange: ParseExchange

    /// Uploads a file. The server adds a random prefix to each name, so repeating an upload after a
    /// lost answer overwrites nothing.
    /// - Throws: `RemoteError.unauthorized` for an ended session only. A refusal of the keys (status 401 or 403) concerns the file, because
    ///   the sync has used them for reads before.
    func upload(_ file: FileUpload) async throws(RemoteError) -> FileReference {
        let response = try await exchange.response(to: exchange.requests.upload(file))
        let object: JSONObject?
        do throws(RemoteError) {
            object = try exchange.reader.read(response).orRemoteError().object
        } catch {
            guard case .unauthorized(let message) = error, !response.refusesSession else { throw error }
            // A proxy or a captive portal sends a page, and may let the next upload pass.
            guard (try? JSONReader.read(response.body))?.object != nil else {
                throw .faulty(status: response.status.code, reason: message)
            }
            throw .refused(code: ParseError.Code.fileSaveError.rawValue, message: message)
        }
        guard let name = object?["name"]?.string, 1...Self.nameBytesMax ~= name.utf8.count,
            let url = object?["url"]?.string, url.utf8.count <= ParseRequests.urlBytesMax
        else {
            throw .faulty(status: 201, reason: "the answer to an upload has no name or no url, or too long ones")
        }
        return FileReference(name: name, url: url)
    }

    /// The maximum length of a file name in bytes.
    private static let nameBytesMax = 1024

    /// Downloads a file without sending keys, because the URL may belong to another server.
    func download(_ url: String, into sink: any ContentSink) async throws(RemoteError) -> String? {
        try await RemoteDownload(
            sources: exchange.configuration.fileSources, serverURL: exchange.configuration.serverURL,
            transport: exchange.transport, cleaner: exchange.reader.cleaner
        ).download(url, into: sink)
    }
}
