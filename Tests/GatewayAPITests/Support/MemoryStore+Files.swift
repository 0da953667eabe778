import ParseModel
import StoreService

/// The in-memory store keeps no files.
extension MemoryStore {
    func draft() throws -> FileDraft { throw StoreError.notPossible(reason: "no files here") }

    func addFile(
        _ draft: FileDraft, name: String, contentType: String, as principal: Principal
    ) async throws -> StoredFile {
        throw StoreError.notPossible(reason: "no files here")
    }

    func file(_ name: String, as principal: Principal) throws -> StoredFile? { nil }
    func contentPath(of file: StoredFile) -> String? { nil }
    func servedFiles(among names: [String], as principal: Principal) throws -> Set<String> {
        if let failure = fileFailure.withLock({ $0 }) { throw failure }
        return []
    }
    func noteUse(of file: StoredFile) async throws {}
    func remoteNames(of things: NamedThings) throws -> RemoteNames { RemoteNames() }
    func deleteFile(_ name: String, as principal: Principal) async throws {}
}
