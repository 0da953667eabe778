import ParseModel
import RemoteHTTP
import RemoteService
import SyncModel

/// Tables keep URLs of files, and no files. A file can therefore be downloaded, but not uploaded.
extension DatasyncRemote: RemoteFileService {
    package func upload(_ file: FileUpload) async throws(RemoteError) -> FileReference {
        throw .refused(code: ParseError.Code.fileSaveError.rawValue, message: "The remote's tables keep no files.")
    }

    package func download(_ url: String, into sink: any ContentSink) async throws(RemoteError) -> String? {
        try await download.download(url, into: sink)
    }
}
