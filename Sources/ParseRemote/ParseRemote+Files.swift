import HTTPClient
import ParseModel
import RemoteHTTP
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

    /// The maximum length of a file name in bytes.
    private static let nameBytesMax = 1024

    /// Downloads a file without sending keys, because the URL may belong to another server.
    package func download(_ url: String, into sink: any ContentSink) async throws(RemoteError) -> String? {
        try await FileDownload(
            sources: configuration.fileSources, serverURL: configuration.serverURL, transport: transport,
            cleaner: reader.cleaner
        ).download(url, into: sink)
    }
}
