import GRDB
import ParseModel
import StoreService
import SyncModel

/// Reads objects and fields that a sync checks for changed rights on the remote.
extension LocalSyncStore {
    package var reader: String? { transactions.configuration.reader }

    package func watchState() async throws -> WatchState { try await read { try WatchState(in: $0) } }

    package func setWatchState(_ state: WatchState) async throws {
        try await write { try state.save(in: $0.db) }
    }

    package func scrub(
        of className: String, after last: String?, in syncs: Int, bounds: ClosedRange<Int>
    ) async throws -> (ids: [String], last: String?) {
        try await readAtOnce {
            try WatchedObjects(db: $0).scrub(of: className, after: last, in: syncs, bounds: bounds)
        }
    }

    package func representatives(
        after last: Int64, max: Int, in classNames: [String]
    ) async throws -> [WatchedACL] {
        guard let reader else { return [] }
        return try await readAtOnce {
            try WatchedObjects(db: $0).representatives(after: last, of: reader, max: max, in: classNames)
        }
    }

    package func objects(ofACL number: Int64, max: Int) async throws -> [Pointer] {
        try await read { try WatchedObjects(db: $0).objects(ofACL: number, max: max) }
    }

    package func fieldCanaries(
        of className: String, after place: CanaryPlace, max: Int
    ) async throws -> CanaryPlace {
        try await read { db in
            try WatchedObjects(db: db).fieldCanaries(of: className, after: place, reader: reader, max: max)
        }
    }

    package func fieldDifferences(in records: [RemoteRecord]) async throws -> (lost: [String], new: [String]) {
        try await readAtOnce { try WatchedObjects(db: $0).fieldDifferences(in: records) }
    }

    package func givenAwayIds(of className: String, max: Int) async throws -> [String] {
        guard let reader else { return [] }
        return try await readAtOnce { try GivenAway(reader: reader, db: $0).ids(of: className, max: max) }
    }

    package func lostByRole(
        _ missing: [String], of className: String, still roles: Set<String>
    ) async throws -> Set<String> {
        guard let reader, !missing.isEmpty else { return [] }
        return try await readAtOnce {
            try WatchedObjects(db: $0).lostByRole(missing, of: className, still: roles, reader: reader)
                .union(GivenAway(reader: reader, db: $0).ids(among: missing, of: className))
        }
    }
}
