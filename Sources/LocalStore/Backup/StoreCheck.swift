import Foundation
import GRDB
import ParseModel
import StoreService

/// Checks the file and the contents of a data directory, which may be in use. Changes nothing.
enum StoreCheck {
    /// The maximum number of lines about one kind of damage of the file.
    private static let linesMax = 20

    static func run(
        directory: String, sharing shared: String?, _ meter: WorkMeter?
    ) async throws -> StoreFindings {
        let path = directory + "/tidegate.sqlite"
        guard FileManager.default.fileExists(atPath: path) else {
            throw StoreError.notPossible(reason: "\(directory) has no tidegate.sqlite")
        }
        var findings = StoreFindings()
        findings.file = try await FileCheck.run(directory: directory, meter)
        // The tables of a file with a damaged structure cannot be compared.
        guard findings.file.structure.isEmpty else { return findings }
        try check(try checkTables(in: directory, path, &findings, meter), in: directory, shared, &findings, meter)
        return findings
    }

    private static func checkTables(
        in directory: String, _ path: String, _ findings: inout StoreFindings, _ meter: WorkMeter?
    ) throws -> [FileDraft.Content] {
        do { return try UnopenedFile.queue(in: directory).read { try check($0, path, &findings, meter) } } catch {
            throw StoreError.wrapping(error, operation: "check \(path)")
        }
    }

    /// Checks the tables in one snapshot.
    /// - Returns: the contents that the file needs.
    private static func check(
        _ db: Database, _ path: String, _ findings: inout StoreFindings, _ meter: WorkMeter?
    ) throws -> [FileDraft.Content] {
        guard try !Migrations.isNew(db, path: path) else { return [] }
        findings.violations = try StatementMeter.check(
            "PRAGMA integrity_check(\(linesMax))", in: db, meter, "Checking the indexes",
            weight: StoreWork.indexes
        ).filter { $0 != "ok" }
        meter?.begin(
            "Checking the rules between tables", bytes: try StatementMeter.size(of: db) * StoreWork.rules,
            isMeasured: false)
        findings.violations += try db.rows("PRAGMA foreign_key_check", max: linesMax) {
            "a row of \($0.text(0)) refers to a missing row of \($0.text(2))"
        }
        findings.objectCount = try db.count("SELECT sum(views) FROM class_counts")
        findings.isOfEarlierVersion = try !Migrations.isComplete(db)
        if !findings.isOfEarlierVersion, findings.file.isEmpty, try Meta.value(of: "mode", in: db) == "replica" {
            findings.violations += try InvariantCheck(db: db).violations()
        }
        return try neededContents(in: db)
    }

    private static func check(
        _ needed: [FileDraft.Content], in directory: String, _ shared: String?, _ findings: inout StoreFindings,
        _ meter: WorkMeter?
    ) throws {
        let contents = ContentDirectory(in: directory, sharedDirectory: shared)
        findings.contentCount = needed.count
        if !needed.isEmpty {
            meter?.begin("Checking the contents of files", bytes: needed.reduce(0) { $0 + $1.size })
        }
        for content in needed {
            let path = contents.path(of: content.sha256)
            if access(path, F_OK) != 0 {
                findings.missingContents.append(content.sha256)
            } else if try FileDraft.Content(ofFile: path, { meter?.advance(by: $0) }) != content {
                findings.changedContents.append(content.sha256)
            }
        }
        findings.orphanedContents = try Set(contents.all()).subtracting(needed.map(\.sha256)).sorted()
    }

    /// The contents of the files in the database.
    static func neededContents(in db: Database) throws -> [FileDraft.Content] {
        try db.rows("SELECT DISTINCT sha256, size FROM files WHERE sha256 IS NOT NULL ORDER BY sha256") {
            FileDraft.Content(sha256: $0.text(0), size: $0.int(1))
        }
    }
}
