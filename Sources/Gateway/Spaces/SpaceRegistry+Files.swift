import ParseModel
import StoreService

/// Shares the contents of the remote's files among the spaces: the gateway keeps each content once.
extension SpaceRegistry {
    func isOnlyOfGateway(_ object: Pointer) throws -> Bool { try GatewayNames(store: store).hasOnlyHere(object) }
    func isOnlyOfGateway(_ file: FileReference) throws -> Bool { try GatewayNames(store: store).hasOnlyHere(file) }

    func shareFile(_ name: String) async throws -> Bool {
        for space in state.withLock({ $0.open.values.map(\.space) }) {
            guard let file = try space.store.objects.files.file(name, as: .master), let url = file.remoteURL else {
                continue
            }
            return try await store.sharedFiles.share(file.name, at: url) != nil
        }
        return false
    }
}
