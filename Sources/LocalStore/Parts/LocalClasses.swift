import Dispatch
import GRDB
import ParseModel
import StoreService
import SyncModel

/// Starts, changes and ends the syncing of classes, and drops their objects.
struct LocalClasses: ClassRegistry {
    let transactions: Transactions
    let reads: ObjectReads

    /// Registers a class to be synced. A class without pulls gets a pull of the whole class.
    /// - Parameters:
    ///   - files: which files of the class to download. Ignored if the class already has pulls or file options.
    ///   - opField: the field for operation ids; nil for none. Ignored if the class already has an `opField`.
    func registerClass(
        _ name: String, files: FileDownloads, opField: String?
    ) async throws {
        try await configureClass(name) { options, pulls in
            options.opField = options.opField ?? opField
            guard pulls.isEmpty else { return }
            pulls = [.all]
            if options.files == FileDownloads() { options.files = files }
        }
    }

    /// Changes the options and pulls of a class. A pull with changed conditions or keys starts from the beginning.
    /// - Throws: `ParseError` 107 (invalid JSON) or 108 (command unavailable) for an invalid class name.
    func configureClass(
        _ name: String, _ change: @escaping @Sendable (inout ClassOptions, inout [NamedPull]) throws -> Void
    ) async throws {
        try ClassName.validate(name)
        try await transactions.write { try ClassRegistration(name, in: $0).configure(change) }
    }

    /// Stops syncing a class.
    /// - Parameters:
    ///   - purge: whether to drop the class's objects from this file too; the remote keeps them.
    ///   - force: whether to drop changes that are not on the remote.
    /// - Throws: `StoreError.notFound` for an unknown class; `StoreError.notPossible` if the class has changes that are not on
    ///   the remote, and `force` is false.
    func unregisterClass(_ name: String, purge: Bool, force: Bool) async throws {
        try await transactions.write { try ClassRegistration(name, in: $0).end(purge: purge, force: force) }
    }

    /// Drops objects of a class from this file. The remote keeps them. The next pull or audit (comparison with the
    /// remote) brings back objects that still belong to a pull.
    /// - Parameters:
    ///   - query: its `where` selects the objects. Nil selects all objects; the pulls of the class then start from the beginning.
    ///   - force: whether to drop changes that are not on the remote.
    /// - Returns: the number of dropped objects.
    /// - Throws: `StoreError.notPossible` if there are changes that are not on the remote and `force` is false.
    func purgeObjects(of name: String, _ query: ParseQuery?, force: Bool) async throws -> Int {
        var found: [String]?
        if let query { found = try await ids(of: name, query) }
        return try await transactions.write { [found] in
            try ClassRegistration(name, in: $0).purge(found, force: force)
        }
    }

    /// The time limit for finding the objects of a purge.
    private static let purgeTimeout = ReadTimeout(.seconds(20))
    private static let purgeSearches = DispatchQueue(label: "tidegate.purge-searches")

    /// Finds the ids of the objects to purge. The query can take seconds, so it runs on a queue of its own.
    private func ids(of className: String, _ query: ParseQuery) async throws -> [String] {
        try await withCheckedThrowingContinuation { continuation in
            Self.purgeSearches.async {
                continuation.resume(
                    with: Result {
                        var ids: [String] = []
                        _ = try reads.find(className, query, as: .master, timeout: Self.purgeTimeout) {
                            ids.append($0.objectId)
                        }
                        return ids
                    })
            }
        }
    }

    // MARK: Schemas

    /// Replaces the stored schemas by those of the remote. A local write that contradicts a stored schema is refused at
    /// once, because the remote would refuse it later.
    func takeRemoteSchemas(_ schemas: [ClassSchema]) async throws {
        precondition(transactions.configuration.identity.remote != nil, "a standalone store has schemas of its own")
        // Most calls change nothing. A comparison in a read transaction then avoids a write transaction.
        guard try remoteSchemas() != Set(schemas) else { return }
        try await transactions.write { try RemoteSchemaIntake(transaction: $0).take(schemas) }
    }

    /// The stored schemas of the remote's classes.
    func remoteSchemas() throws -> Set<ClassSchema> {
        try transactions.read { try SchemaTable(db: $0).ofRemote() }
    }
}
