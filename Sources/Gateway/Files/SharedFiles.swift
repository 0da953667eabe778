import Foundation
import StoreService

/// Keeps the contents of the remote's files once for all users of the gateway. As on a Parse Server, everyone who knows
/// the name of a file may read it.
struct SharedFiles: Sendable {
    let store: any GatewayStore
    let fetcher: FileFetcher

    /// Downloads a file into the gateway's own store, unless it has the content.
    /// - Returns: nil if the gateway's own store has another file with this name.
    /// - Throws: as `FileFetcher.fetch`.
    func fetch(_ name: String, at url: String) async throws -> StoredFile? {
        guard let file = try await store.sharedFiles.share(name, at: url) else { return nil }
        if let path = store.objects.files.contentPath(of: file), FileManager.default.fileExists(atPath: path) {
            try await store.objects.files.noteUse(of: file)
            return file
        }
        return try await fetcher.fetch(file)
    }

    /// Records that a user has read the content of a file.
    func noteUse(of name: String) async throws {
        guard let file = try store.objects.files.file(name, as: .master) else { return }
        try await store.objects.files.noteUse(of: file)
    }
}
