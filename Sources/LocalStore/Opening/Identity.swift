import Foundation
import GRDB
import ParseModel
import StoreService

/// Checks that an SQLite file belongs to the configured remote and to its data directory.
extension StoreIdentity {
    /// A key in `meta`: the creation time of the file, in milliseconds since 1970. Files of earlier versions do not have it.
    static let begunAtKey = "begun_at"
    /// The key in `meta` of the user to whom the token for the remote belongs. Absent if no such user is known.
    static let subjectKey = "remote_subject"

    /// The key in `meta` of the dialect (protocol variant) that the remote speaks. Absent before the first answer, and
    /// for a remote without dialects.
    static let dialectKey = "remote_dialect"

    /// The key in `meta` of the limits that the remote has named. Absent if it has named none.
    static let limitsKey = "remote_limits"

    /// The key in `meta` of a fact about the remote.
    static func key(of fact: RemoteFact) -> String {
        switch fact {
        case .dialect: dialectKey
        case .subject: subjectKey
        case .limits: limitsKey
        }
    }

    /// Checks that the file belongs to the configured remote, and that it is not a copy of another gateway's file.
    /// Records the directory, and in a new file also the remote.
    /// - Parameter takesOver: whether a copy is accepted, because it replaces the original. The copy in a backup is
    ///   always accepted.
    /// - Returns: the replica's id. It is new for a new file, and for a copy that takes over.
    func claim(
        _ db: Database, in directory: DataDirectory, takesOver: Bool, environment: Environment
    ) throws -> String {
        let file = try FileIdentity(ofFileAt: directory.databasePath)
        let here = ["path": directory.path, "file": file.stored]
        guard let mode = try Meta.value(of: "mode", in: db) else {
            let replicaId = environment.requestId()
            var values = here
            values["mode"] = remote == nil ? "standalone" : "replica"
            values["remote_kind"] = remote?.kind
            values["remote_url"] = remote?.url
            values["remote_application_id"] = remote?.applicationId
            values[Self.subjectKey] = remote?.subject
            values["replica_id"] = replicaId
            values[Self.begunAtKey] = String(environment.now().milliseconds)
            for (key, value) in values { try Meta.set(key, value, in: db) }
            return replicaId
        }
        try checkPurpose(mode: mode, db, directory)
        let knownPath = try Meta.value(of: "path", in: db) ?? ""
        let isSameFile = try Meta.value(of: "file", in: db).flatMap(FileIdentity.init(stored:))?.mayBe(file) == true
        let wasRenamed = isSameFile && !FileManager.default.fileExists(atPath: knownPath + "/lock")
        let isBackup = try Meta.value(of: RestoredFile.backedUpAtKey, in: db) != nil
        let isMoved = try Meta.value(of: RestoredFile.movedKey, in: db) != nil
        let isOriginal =
            !isBackup && (isMoved || wasRenamed || isSameFile && knownPath == directory.path)
        if !isOriginal, !isBackup, !takesOver {
            let reason =
                knownPath == directory.path
                ? "the file in \(directory.path) is a copy, put in the place of the one that was there"
                : "the data directory \(directory.path) is a copy of \(knownPath)"
            throw StoreError.identityMismatch(
                reason: reason,
                hint: "two copies would push the same changes twice; use the original, or, if it is gone for good, "
                    + "start once with --take-over")
        }
        for (key, value) in here { try Meta.set(key, value, in: db) }
        try Meta.set(RestoredFile.movedKey, nil, in: db)
        if !isOriginal {
            try Meta.set("replica_id", environment.requestId(), in: db)
            try RestoredFile(db: db).begin(now: environment.now())
        }
        return try Meta.value(of: "replica_id", in: db) ?? ""
    }

    /// Whether the file has no data: neither objects of the remote, nor changes to send, nor what clients of a standalone gateway
    /// have stored or deleted.
    static func isUntouched(_ db: Database) throws -> Bool {
        try db.isTrue(
            """
            SELECT NOT (EXISTS (SELECT 1 FROM objects) OR EXISTS (SELECT 1 FROM outbox) OR EXISTS (SELECT 1 FROM aliases)
                OR EXISTS (SELECT 1 FROM files) OR EXISTS (SELECT 1 FROM conflicts)
                OR EXISTS (SELECT 1 FROM pulls WHERE cursor IS NOT NULL OR complete_since IS NOT NULL)
                OR ((SELECT value FROM meta WHERE key = 'mode') = 'standalone'
                    AND (EXISTS (SELECT 1 FROM changes) OR EXISTS (SELECT 1 FROM schemas))))
            """)
    }

    /// Makes the file that of a replica of another remote.
    private func move(to remote: Remote, _ db: Database) throws {
        try Meta.set("mode", "replica", in: db)
        try Meta.set("remote_kind", remote.kind, in: db)
        try Meta.set("remote_url", remote.url, in: db)
        try Meta.set("remote_application_id", remote.applicationId, in: db)
        try Meta.set(Self.subjectKey, remote.subject, in: db)
        try Meta.set(Self.dialectKey, nil, in: db)
        try Meta.set(Self.limitsKey, nil, in: db)
        try Meta.set("accepts_chosen_ids", nil, in: db)
        try db.run("DELETE FROM schemas")
        try db.run("DELETE FROM fields")
    }

    private func checkPurpose(mode: String, _ db: Database, _ directory: DataDirectory) throws {
        let useOther = "choose another data directory with --data"
        let known = try Remote(storedIn: db)
        switch (mode, remote) {
        case ("standalone", nil): return
        case ("replica", let remote?):
            if remote.agrees(with: known) {
                if known.subject == nil { try Meta.set(Self.subjectKey, remote.subject, in: db) }
                return
            }
            // A file without remote data and pending changes accepts another remote: the first URL may have been mistyped.
            if try Self.isUntouched(db) { return try move(to: remote, db) }
            throw StoreError.identityMismatch(
                reason: "\(directory.path) is a replica of \(known.description(beside: remote)), "
                    + "not of \(remote.description(beside: known))",
                hint: "go on with its own remote, or \(useOther)")
        case ("standalone", let remote?):
            if try Self.isUntouched(db) { return try move(to: remote, db) }
            throw StoreError.identityMismatch(
                reason: "\(directory.path) belongs to a standalone gateway and cannot become a replica",
                hint: "start it without --remote, or \(useOther)")
        default:
            throw StoreError.identityMismatch(
                reason: "\(directory.path) is a replica of \(known.url)",
                hint: "give --remote and --app-id, or \(useOther)")
        }
    }
}

extension StoreIdentity.Remote {
    /// The remote to which a file belongs.
    init(storedIn db: Database) throws {
        self.init(
            kind: try Meta.value(of: "remote_kind", in: db) ?? Self.kindOfEarlierFiles,
            url: try Meta.value(of: "remote_url", in: db) ?? "",
            applicationId: try Meta.value(of: "remote_application_id", in: db),
            subject: try Meta.value(of: StoreIdentity.subjectKey, in: db))
    }
}
