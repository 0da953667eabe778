import ParseModel
import StoreService

/// The kind of store that keeps its data in a SQLite file: `LocalStore`.
package struct LocalStoreKind: StoreKind {
    package init() {}

    package func open(_ settings: StoreSettings, environment: Environment) throws -> any GatewayStore {
        try LocalStore(StoreConfiguration(settings), environment: environment)
    }

    package func checkFile(in directory: String) async throws -> FileFindings {
        try await FileCheck.run(directory: directory)
    }

    package func effectiveRights(in directory: String) throws -> EffectiveRights? {
        try EffectiveRights(directory: directory)
    }

    package func accountFindings(in directory: String) throws -> AccountFindings? {
        try UnopenedFile.read(in: directory, of: .standalone) { try AccountFindings(in: $0) }
    }

    package func replacedIds(in directory: String) throws -> ReplacedIds? { try ReplacedIds(directory: directory) }

    package func isInUse(_ directory: String) -> Bool { DataDirectory.isLocked(directory) }

    package func remoteOutline(in directory: String) throws -> RemoteOutline? {
        try RemoteOutline(directory: directory)
    }

    package func hasWaitingWork(in directory: String) throws -> Bool {
        try UnopenedFile.read(in: directory, of: .replica) { try StatusFigures(db: $0).hasWork() } ?? false
    }

    package func figures(in directory: String) throws -> SyncFigures? {
        try UnopenedFile.read(in: directory, of: .replica) { try StatusFigures(db: $0).all() }
    }

    package func copy(
        directory: String, to target: String, sharing shared: String?, at time: ParseDate, _ meter: WorkMeter?
    ) throws -> StoreCopy {
        try DirectoryCopy(of: directory, to: target, sharing: shared, meter).make(at: time)
    }

    package func check(
        directory: String, sharing shared: String?, _ meter: WorkMeter?
    ) async throws -> StoreFindings {
        try await StoreCheck.run(directory: directory, sharing: shared, meter)
    }

    package func keepIdentity(directory: String) throws { try RestoredFile.keepIdentity(in: directory) }

    package func compact(directory: String, _ meter: WorkMeter?) throws {
        try Compaction.run(directory: directory, meter)
    }
}
