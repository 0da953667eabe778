import ParseModel
import RemoteService
import SyncModel

/// Files go to the remote before the changes that carry them. A name is never overwritten there, so a content that is sent
/// twice, because the first answer got lost, leaves no more than an orphan behind.
extension SyncRun {
    /// So much is sent before the changes have their turn.
    private static let portionBytes = 4 << 20
    /// So often the remote may fail over one file while it answers otherwise.
    private static let failuresMax = 5

    /// Sends some files; then it is the turn of the changes that have waited for them.
    /// - Returns: false where none is left to try.
    mutating func pushFiles() async throws(SyncError) -> Bool {
        // What was tried and failed stands before the rest.
        let limit = triedFiles.count + Self.countMax
        let files = try await stored { try await $0.filesToUpload(limit: limit) }
        let untried = files.filter { !triedFiles.contains($0.name) }
        let total = triedFiles.count + untried.count
        var bytes = 0
        for file in untried where bytes < Self.portionBytes {
            bytes += file.size
            triedFiles.insert(file.name)
            try await push(file)
            report(SyncProgress(phase: .files, className: nil, done: triedFiles.count, total: total))
        }
        return !untried.isEmpty
    }

    /// What goes wrong with one file holds up the changes that carry it, and no others.
    private mutating func push(_ file: FileUpload) async throws(SyncError) {
        guard file.path != nil else {
            try await refuse(file, code: Self.refusedCode, message: "its content is no longer on this machine")
            return
        }
        switch try await answer({ remote throws(RemoteError) in try await remote.upload(file) }) {
        case .success(let uploaded):
            try await stored { try await $0.fileIsUploaded(file.name, as: uploaded) }
            summary.uploaded += 1
        case .failure(.refused(let code, let message)):
            try await refuse(file, code: code, message: message)
        case .failure(.tooMuch(let reason)), .failure(.unauthorized(let reason)):
            // Wrong keys have ended the sync before.
            try await refuse(file, code: Self.refusedCode, message: reason)
        case .failure(.faulty(let status, let reason)), .failure(.misaddressed(let status, let reason)):
            try await noteFailure(of: file, "HTTP \(status): \(reason)")
        case .failure(.interrupted(let reason)): try await noteFailure(of: file, reason)
        case .failure(let error): throw SyncError(error)
        }
    }

    private static let refusedCode = ParseError.Code.fileSaveError.rawValue

    private mutating func noteFailure(of file: FileUpload, _ reason: String) async throws(SyncError) {
        guard file.attempts + 1 < Self.failuresMax else {
            try await refuse(file, code: Self.refusedCode, message: reason)
            return
        }
        try await stored { try await $0.fileUploadFailed(file.name, reason: reason) }
        warn("The file \(file.name) could not be sent: \(reason)")
    }

    private mutating func refuse(_ file: FileUpload, code: Int, message: String) async throws(SyncError) {
        let classes = try await stored {
            try await $0.fileIsRefused(
                file.name, code: code, message: "The file \(FileName.given(file.name)) was refused: \(message)")
        }
        for className in classes { summary.note(className) { $0.rejections += 1 } }
    }
}
