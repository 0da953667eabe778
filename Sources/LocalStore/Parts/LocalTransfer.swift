import GRDB
import ParseModel
import StoreService

/// Exports and imports whole classes.
struct LocalTransfer: TransferStore {
    let transactions: Transactions
    /// The type that applies the writes of local clients to objects.
    let way: any WriteWay.Type

    private var configuration: StoreConfiguration { transactions.configuration }

    var objectsTogether: Int { transactions.file.writer.pageRows }

    func prepare(_ object: ImportedObject) -> PreparedImport {
        PreparedImport(object, fieldsMax: configuration.classFieldsMax)
    }

    func importObjects(
        _ objects: [PreparedImport], as principal: Principal, _ pass: ImportPass
    ) async throws -> [Result<ImportOutcome, any Error>] {
        // In a replica, a chosen id is only a local one if the remote accepts no chosen ids.
        let keepsIds =
            principal.writesEverything || configuration.identity.remote != nil || configuration.allowsChosenIds
        func perform(isEach: Bool) async throws -> [Result<ImportOutcome, any Error>] {
            let (kind, isCheck) = Self.kind(of: pass)
            let repeatsIds = isCheck && Self.repeatsIds(objects)
            return try await transactions.write(as: principal, isLocal: true, kind: kind) { [way] transaction in
                let writes = ImportWrites(
                    transaction, way, keepsIds: keepsIds, isCheck: isCheck, repeatsIds: repeatsIds)
                let results = try isEach ? writes.performEach(objects) : writes.performAll(objects)
                if isCheck { throw Checked(results: results) }
                return results
            }
        }
        defer { if case .write = pass { configuration.onLocalWrite() } }
        do {
            do {
                return try await perform(isEach: false)
            } catch  where ImportWrites.isRefusal(error) {
                return try await perform(isEach: true)
            }
        } catch let checked as Checked {
            return checked.results
        }
    }

    private static func repeatsIds(_ objects: [PreparedImport]) -> Bool {
        var seen: Set<String> = []
        return objects.contains { prepared in
            guard let objectId = prepared.object.fields["objectId"]?.string else { return false }
            return !seen.insert(objectId).inserted
        }
    }

    private static func kind(of pass: ImportPass) -> (kind: WriteKind, isCheck: Bool) {
        switch pass {
        case .check: (.page, true)
        case .write(let isLast): (isLast ? .lastPage : .page, false)
        }
    }

    /// The results of a check, thrown so that the writer undoes the writes.
    private struct Checked: Error {
        let results: [Result<ImportOutcome, any Error>]
    }

    func relationMembers(
        of className: String, _ field: String, each: (_ ownerId: String, _ memberId: String) throws -> Void
    ) throws {
        try transactions.readOnce { db in
            try db.forEachRow(
                """
                SELECT id, member_id FROM relation_members WHERE class = ? AND field = ? AND in_view
                ORDER BY class, id, field, member_class, member_id
                """, [className, field]
            ) { try each($0.text(0), $0.text(1)) }
        }
    }

    func relationsWithMembers(of className: String) throws -> [String] {
        try transactions.readOnce { db in
            try db.texts(
                "SELECT DISTINCT field FROM relation_members WHERE class = ? AND in_view ORDER BY field", [className])
        }
    }

    func passwordHash(of userId: String) throws -> String? {
        try transactions.readOnce { try UserSecretTable(db: $0).secret(of: userId)?.hash }
    }
}
