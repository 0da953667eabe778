import ParseModel
import RemoteService
import SyncModel

/// Uploads files before the changes that contain them are sent. The remote gives every upload a new name, so repeating an upload
/// after a lost answer leaves at most an orphaned file.
struct FilePush {
    /// The number of uploaded bytes after which `run` returns, so that waiting changes are pushed before the next
    /// uploads.
    private static let portionBytes = 4 << 20
    /// The number of failed uploads after which a file is rejected. Failures of an unreachable or overloaded remote do not count.
    private static let failuresMax = 5
    /// The maximum number of files that `run` reads from the store, in addition to those that this sync has already
    /// tried.
    private static let filesMax = 1000

    private let context: SyncContext

    init(_ context: SyncContext) { self.context = context }

    /// Uploads untried files until their total size reaches `portionBytes`. The caller then pushes the changes that contain these
    /// files.
    /// - Parameter tried: the names of files that this sync has tried to upload.
    /// - Returns: whether there were untried files.
    func run(_ tried: inout Set<String>) async throws(SyncError) -> Bool {
        // The list may begin with files that this sync has already tried, so the limit is raised by their number.
        let limit = tried.count + Self.filesMax
        let files = try await context.store { try await $0.filesToUpload(limit: limit) }
        let untried = files.filter { !tried.contains($0.name) }
        let total = tried.count + untried.count
        var bytes = 0
        for file in untried where bytes < Self.portionBytes {
            bytes += file.size
            tried.insert(file.name)
            try await upload(file)
            context.reporter.progress(.files, done: tried.count, total: total)
        }
        return !untried.isEmpty
    }

    /// Uploads one file. A failure that concerns the file delays or rejects only the changes that contain the file. An
    /// unreachable or overloaded remote ends the sync, and so does a session that has ended: the file waits for the next log-in.
    private func upload(_ file: FileUpload) async throws(SyncError) {
        guard file.path != nil else {
            try await refuse(file, code: Self.refusedCode, message: "its content is no longer on this machine")
            return
        }
        guard let files = context.remote.files else {
            try await refuse(file, code: Self.refusedCode, message: "this kind of remote keeps no files")
            return
        }
        switch try await context.remote.answer({ _ throws(RemoteError) in try await files.upload(file) }) {
        case .success(let uploaded):
            try await context.store { try await $0.fileIsUploaded(file.name, as: uploaded) }
            context.reporter.update { $0.uploaded += 1 }
        case .failure(.refused(let code, let message)):
            try await refuse(file, code: code, message: message)
        case .failure(.tooMuch(let reason)):
            try await refuse(file, code: Self.refusedCode, message: reason)
        case .failure(.faulty(let status, let reason)), .failure(.misaddressed(let status, let reason)):
            try await noteFailure(of: file, "HTTP \(status): \(reason)")
        case .failure(.interrupted(let reason)): try await noteFailure(of: file, reason)
        case .failure(let error): throw SyncError(error)
        }
    }

    private static let refusedCode = ParseError.Code.fileSaveError.rawValue

    private func noteFailure(of file: FileUpload, _ reason: String) async throws(SyncError) {
        guard file.attempts + 1 < Self.failuresMax else {
            try await refuse(file, code: Self.refusedCode, message: reason)
            return
        }
        try await context.store { try await $0.fileUploadFailed(file.name, reason: reason) }
        context.reporter.warn("The file \(file.name) could not be uploaded: \(reason)")
    }

    private func refuse(_ file: FileUpload, code: Int, message: String) async throws(SyncError) {
        let classes = try await context.store {
            try await $0.fileIsRefused(
                file.name, code: code, message: "The file \(FileName.given(file.name)) was refused: \(message)")
        }
        for className in classes { context.reporter.update(className) { $0.rejections += 1 } }
    }
}
