import HTTPServer
import HTTPTypes
import StoreService
import Synchronization

/// Writes the body of an upload to disk while it arrives.
final class FileUploadSink: HTTPBodySink {
    let bytesMax: Int
    private let draft: Result<FileDraft, any Error>
    private let failure = Mutex<(any Error)?>(nil)

    init(store: any FileStore, bytesMax: Int) {
        self.bytesMax = bytesMax
        draft = Result { try store.draft() }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(HTTPBodyRefusal) {
        do {
            try draft.get().write(bytes)
        } catch {
            failure.withLock { $0 = error }
            throw HTTPBodyRefusal(ErrorAnswer(error).status)
        }
    }

    /// Does nothing. The draft (the file that is being written) is deleted when the sink is released.
    func abandon() {}

    /// The draft with the complete body.
    /// - Throws: the error with which creating the draft or writing to it failed.
    func whole() throws -> FileDraft {
        if let failure = failure.withLock({ $0 }) { throw failure }
        return try draft.get()
    }
}
