import ParseModel
import StoreService

/// Tells which objects and files were created without a session and are not on the remote, or have another name there. Only the
/// gateway's own store has them under this name, so users cannot refer to them.
struct GatewayNames {
    let store: any GatewayStore

    /// Whether the object is not on the remote yet, or has another id there.
    func hasOnlyHere(_ object: Pointer) throws -> Bool {
        do {
            return try store.objects.object(object.className, object.objectId, as: .master)
                .map { $0.state == .created || $0.objectId != object.objectId } ?? false
        } catch StoreError.damaged {
            return false
        }
    }

    /// Whether the file is not on the remote yet.
    func hasOnlyHere(_ file: FileReference) throws -> Bool {
        try store.objects.files.file(file.name, as: .master).map { $0.remoteURL == nil } ?? false
    }
}
