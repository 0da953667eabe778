import Foundation
import GRDB
import ParseModel
import StoreService

/// Copies the SQLite file and the contents of files in a data directory that may be in use.
struct DirectoryCopy {
    private let source: String
    private let target: String
    private let contents: ContentDirectory
    private let copied: ContentDirectory
    private let meter: WorkMeter?

    /// The number of pages that are copied between two reports about the progress.
    private static let pagesOfStep: CInt = 1024

    init(of source: String, to target: String, sharing shared: String?, _ meter: WorkMeter?) {
        (self.source, self.target, self.meter) = (source, target, meter)
        contents = ContentDirectory(in: source, sharedDirectory: shared)
        copied = ContentDirectory(in: target)
    }

    func make(at time: ParseDate) throws -> StoreCopy {
        // The contents are kept before the file is copied: the gateway may remove a content that the copy still needs.
        // They are kept once more afterwards, for files that were added in between.
        try keepContents()
        let needed = try copyFile(at: time)
        try keepContents()
        let present = Set(try copied.all())
        for content in present.subtracting(needed) { copied.remove(content) }
        let missing = needed.subtracting(present).filter { access(contents.path(of: $0), F_OK) != 0 }
        return StoreCopy(missingContents: missing.sorted())
    }

    /// Copies the file, and checks the copy.
    /// - Returns: the contents to which the copy refers.
    private func copyFile(at time: ParseDate) throws -> Set<String> {
        let path = target + "/tidegate.sqlite"
        do {
            let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw StoreError.filesystem("make", path) }
            close(file)
            let copy = try DatabaseQueue(path: path, configuration: UnopenedFile.configuration())
            try copyPages(to: copy)
            let needed = try copy.writeWithoutTransaction { copy in
                // Without a log, the copy is a single file.
                try copy.execute(sql: "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL")
                try Meta.set(RestoredFile.backedUpAtKey, String(time.milliseconds), in: copy)
                let damage = try StatementMeter.check(
                    "PRAGMA integrity_check(20)", in: copy, meter, "Checking the copy",
                    weight: StoreWork.indexes
                ).filter { $0 != "ok" }
                guard damage.isEmpty else {
                    throw StoreError.notPossible(
                        reason: "\(source)/tidegate.sqlite is damaged: \(damage.joined(separator: "; "))")
                }
                return Set(try StoreCheck.neededContents(in: copy).map(\.sha256))
            }
            try copy.close()
            return needed
        } catch {
            throw StoreError.wrapping(error, operation: "copy \(source)/tidegate.sqlite")
        }
    }

    /// Copies the pages of the file in one read transaction, so that the copy has the state of one commit. Writers do not wait. A
    /// `VACUUM INTO` would take several times as long, and the log could not be emptied during that time.
    ///
    /// SQLite begins a copy in several steps anew when another connection commits between two of them. It does not in a
    /// transaction that was begun before, because the pages of that transaction stay the same.
    private func copyPages(to copy: DatabaseQueue) throws {
        try UnopenedFile.queue(in: source).read { original in
            guard try !Migrations.isNew(original, path: source + "/tidegate.sqlite") else {
                throw StoreError.notPossible(reason: "\(source) has no data yet")
            }
            let pageSize = try original.count("PRAGMA page_size")
            let bytes = try original.count("PRAGMA page_count") * pageSize
            meter?.begin("Copying the objects", bytes: bytes * (StoreWork.copy - StoreWork.indexes), total: bytes)
            try copy.writeWithoutTransaction { copy in
                try original.backup(to: copy, pagesPerStep: meter == nil ? -1 : Self.pagesOfStep) { progress in
                    meter?.advance(to: progress.completedPageCount * pageSize)
                }
            }
        }
    }

    /// Links the contents into the copy. A content never changes, so a link is as good as a copy. Another file system
    /// needs a copy. A content that disappears meanwhile is left out.
    private func keepContents() throws {
        for sha256 in try contents.all() where access(copied.path(of: sha256), F_OK) != 0 {
            try copied.adopt(sha256, from: contents)
        }
    }
}
