import Foundation
import StoreService

/// Compacts all stores in the data directory of a stopped gateway.
package enum DirectoryCompaction {
    /// - Parameter progress: receives how far the work is; nil if no one waits for it.
    /// - Returns: the size of all SQLite files before and after, in bytes.
    /// - Throws: `GatewayError` if a gateway is using the directory, if it has no store, or if it cannot be read.
    package static func run(
        _ directory: String, stores: any StoreKind, progress: WorkMeter.Report? = nil
    ) async throws(GatewayError) -> (bytesBefore: Int, bytesAfter: Int) {
        try await onThread { () throws(GatewayError) in
            try BackupFiles.requireStore(in: directory)
            let places = try BackupFiles.stores(in: directory).map { $0.isEmpty ? directory : "\(directory)/\($0)" }
            let before = size(of: places)
            let meter = progress.map { WorkMeter($0) }
            meter?.plan(bytes: StoreWork.compaction * before)
            do {
                for place in places { try stores.compact(directory: place, meter) }
            } catch { throw GatewayError(error) }
            return (before, size(of: places))
        }
    }

    private static func size(of places: [String]) -> Int {
        places.reduce(0) { $0 + BackupFiles.size(of: $1 + "/tidegate.sqlite") }
    }
}
