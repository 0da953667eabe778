import ParseModel
import StoreService

/// The in-memory store has no files: reads find none, and uploads fail.
extension MemoryStore {
    func draft() throws -> FileDraft { throw StoreError.notPossible(reason: "no files here") }

    func addFile(
        _ draft: FileDraft, name: String, contentType: String, details: String?, as principal: Principal
    ) async throws -> StoredFile {
        throw StoreError.notPossible(reason: "no files here")
    }

    func file(_ name: String, as principal: Principal) throws -> StoredFile? { nil }
    func contentPath(of file: StoredFile) -> String? { nil }
    func servedFiles(among names: [String], as principal: Principal) throws -> Set<String> {
        if let failure = fileFailure.withLock({ $0 }) { throw failure }
        return []
    }
    var rights: any FileRights { OpenFiles() }
    func noteUse(of file: StoredFile) async throws {}
    func remoteNames(of things: NamedThings) throws -> RemoteNames { RemoteNames() }
    func deleteFile(_ name: String, as principal: Principal) async throws {}
}

/// File rights by which every client may read every file.
private struct OpenFiles: FileRights {
    func opens(_ file: StoredFile, for principal: Principal) -> Bool { true }
    func shows(_ file: StoredFile, to principal: Principal) -> Bool { true }
}
