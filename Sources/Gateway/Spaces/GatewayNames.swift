import Foundation
import GatewayAPI
import ParseModel
import StoreService

/// Finds the objects that were created without a session and that are not on the remote, or have another id there, and the files that
/// were uploaded without a session and are not on the remote. Only the gateway's own store has them under this name.
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

    /// A file that is not on the remote yet; nil for every other name.
    func unsentFile(_ name: String) throws -> UnsentFile? {
        let files = store.objects.files
        guard let file = try files.file(name, as: .master), file.remoteURL == nil,
            try files.rights.opens(file, for: .public), let path = files.contentPath(of: file)
        else { return nil }
        return UnsentFile(file: file, content: try Data(contentsOf: URL(filePath: path), options: .alwaysMapped))
    }
}
