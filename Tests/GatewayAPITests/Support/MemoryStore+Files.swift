import LocalStore

/// The in-memory store keeps no files.
extension MemoryStore {
    func draft() throws -> FileDraft { throw StoreError.notPossible(reason: "no files here") }

    func addFile(_ draft: FileDraft, name: String, contentType: String) async throws -> StoredFile {
        throw StoreError.notPossible(reason: "no files here")
    }

    func keepContent(_ draft: FileDraft, of name: String, contentType: String?) async throws -> StoredFile {
        throw StoreError.notFound(what: "file")
    }

    func file(_ name: String) throws -> StoredFile? { nil }
    func contentPath(of file: StoredFile) -> String? { nil }
    func servedFiles(among names: [String]) throws -> Set<String> {
        if let failure = fileFailure.withLock({ $0 }) { throw failure }
        return []
    }
    func noteUse(of file: StoredFile) async throws {}
    func remoteNames(of things: NamedThings) throws -> RemoteNames { RemoteNames() }
    func deleteFile(_ name: String) async throws {}
}
