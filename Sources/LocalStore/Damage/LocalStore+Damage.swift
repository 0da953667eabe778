import GRDB
import ParseModel

extension LocalStore {
    /// Looks for damage in the file, and has damaged objects left out of lists from then on. In a replica, objects without pending
    /// work are read again from the remote, by the next sync's audit.
    /// - Throws: `StoreError`.
    package func checkFile() async throws -> FileFindings {
        let findings: FileFindings
        do {
            findings = try await FileCheck.run(try openReading())
        } catch {
            throw StoreError.wrapping(error, operation: "check the file")
        }
        damaged.replace(with: findings.objects)
        try await dropIndexes(of: Set(findings.objects.map(\.className)))
        let replaceable = findings.objects.filter { configuration.identity.isReplica && $0.isReplaceable }
        guard !replaceable.isEmpty else { return findings }
        try await write { transaction in
            for object in replaceable {
                // An audit fetches each object whose time of change differs from the remote's.
                try transaction.execute("UPDATE objects SET updated_at = 0 WHERE pk = ?", [object.key])
                try transaction.execute(
                    "UPDATE pulls SET audited_at = 0 WHERE class = ? AND audited_at IS NOT NULL", [object.className])
            }
        }
        return findings
    }

    /// SQLite computes a row's key in each index before it writes the row again, and fails where the row is damaged.
    private func dropIndexes(of classNames: Set<String>) async throws {
        let indexes = try readOnce { try Self.fieldIndexes(in: $0) }.filter { classNames.contains($0.className) }
        guard !indexes.isEmpty else { return }
        try await write { transaction in
            for sql in indexes.flatMap(\.droppingSQL) { try transaction.db.execute(sql: sql) }
        }
    }
}
