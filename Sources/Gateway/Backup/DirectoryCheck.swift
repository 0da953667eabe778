import Foundation
import ParseModel
import StoreService

/// The findings of `tidegate check`: those of each store in a data directory.
package struct DirectoryCheck: Sendable {
    package struct Store: Sendable {
        /// The path of the store in the data directory; empty for the gateway's own store.
        package let path: String
        package let findings: StoreFindings
    }

    package let directory: String
    package let stores: [Store]

    /// Checks all stores. Changes nothing. A gateway may be using the directory.
    /// - Parameter progress: receives how far the work is; nil if no one waits for it.
    /// - Throws: `GatewayError` if the directory has no store, or if a store cannot be read.
    package init(
        directory: String, stores kind: any StoreKind, progress: WorkMeter.Report? = nil
    ) async throws(GatewayError) {
        self.directory = directory
        try BackupFiles.requireStore(in: directory)
        let meter = progress.map { WorkMeter($0) }
        if let meter {
            let (stores, contents) = BackupFiles.sizes(in: directory)
            meter.plan(bytes: StoreWork.check * stores + contents)
        }
        var stores: [Store] = []
        for path in try BackupFiles.stores(in: directory) {
            do {
                stores.append(
                    Store(
                        path: path,
                        findings: try await kind.check(
                            directory: path.isEmpty ? directory : "\(directory)/\(path)",
                            sharing: path.isEmpty ? nil : directory, meter)))
            } catch {
                throw GatewayError(error)
            }
        }
        self.stores = stores
    }

    package var isSound: Bool { stores.allSatisfy(\.findings.isSound) }

    /// `{"sound":true,"dataDirectory":"…","stores":[{"path":"","objects":12,"contents":3,"orphanedContents":0,"findings":[…]}]}`
    package var json: JSONObject {
        [
            "sound": .bool(isSound), "dataDirectory": .string(directory),
            "stores": .array(
                stores.map { store in
                    [
                        "path": .string(store.path), "objects": .int(store.findings.objectCount),
                        "contents": .int(store.findings.contentCount),
                        "orphanedContents": .int(store.findings.orphanedContents.count),
                        "findings": .array(store.findings.lines.map(JSONValue.string)),
                    ]
                }),
        ]
    }
}
