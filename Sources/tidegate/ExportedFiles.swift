import Foundation
import Gateway
import ParseModel
import StoreService

/// The contents of files beside exported objects: the directory `files` in the directory of an export. The path of a
/// content below it is the name of the file. The metadata and tags of a file, and its content type if the name does not show
/// it, are in a file of JSON at the same path below `file-details`.
struct ExportedFiles {
    /// The path of the directory of the contents.
    let path: String
    private let detailsPath: String

    init(beside directory: String) {
        let place = directory.hasSuffix("/") ? directory : directory + "/"
        (path, detailsPath) = (place + "files", place + "file-details")
    }

    // MARK: Export

    struct Counts {
        var written = 0
        /// The contents that an earlier export has written. The content under a name never changes.
        var present = 0
        /// The files whose contents the gateway does not have.
        var missing = 0

        var references: Int { written + present + missing }

        /// `{"written":2,"present":0,"missing":1}`
        var json: JSONObject { ["written": .int(written), "present": .int(present), "missing": .int(missing)] }
    }

    /// Writes the contents of the files that the objects in NDJSON files name.
    func writeAll(of paths: [String], from transfers: Transfers, _ line: ProgressLine) async throws -> Counts {
        // The total is worth a further reading only if it is shown.
        var total = 0
        if line.isShown {
            for path in paths { try await Self.eachFile(in: path) { _ in total += 1 } }
        }
        var counts = Counts()
        for path in paths {
            try await Self.eachFile(in: path) { file in
                let done = counts.references
                line.show(
                    WorkProgress(
                        step: "Exporting the contents of files", unit: .files, done: done, total: total,
                        part: Double(done) / Double(max(1, total))))
                try await write(file, from: transfers, &counts)
            }
        }
        return counts
    }

    /// Reads the files that the objects in an NDJSON file name. Holds one line of it in memory.
    private static func eachFile(in ndjson: String, _ each: (FileReference) async throws -> Void) async throws {
        let file = try FileHandle(forReadingFrom: URL(filePath: ndjson))
        var rest: [UInt8] = []
        while let piece = try file.read(upToCount: 1 << 18), !piece.isEmpty {
            rest += piece
            var start = 0
            while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
                for file in files(in: rest[start..<end]) { try await each(file) }
                start = end + 1
            }
            rest.removeFirst(start)
        }
    }

    private static let mark = Data(#""__type":"File""#.utf8)

    private static func files(in line: ArraySlice<UInt8>) -> [FileReference] {
        guard Data(line).range(of: mark) != nil else { return [] }
        return (try? JSONReader.read(Array(line), depthMax: JSONReader.storedDepthMax))?.files ?? []
    }

    private func write(_ file: FileReference, from transfers: Transfers, _ counts: inout Counts) async throws {
        let names = file.name.split(separator: "/", omittingEmptySubsequences: false)
        guard names.allSatisfy({ !["", ".", ".."].contains($0) }) else {
            counts.missing += 1
            return
        }
        let target = path + "/" + file.name
        guard !FileManager.default.fileExists(atPath: target) else {
            counts.present += 1
            return
        }
        let output = try Self.output(target)
        guard let details = try await transfers.content(of: file, into: { output.write($0) }) else {
            counts.missing += 1
            return
        }
        // The content is completed last: with it, the file counts as exported.
        if !details.isEmpty {
            let output = try Self.output(detailsPath + "/" + file.name + ".json")
            guard output.write(details.jsonText.utf8) else { throw ConfigurationError("cannot write \(detailsPath)") }
            try output.finish()
        }
        try output.finish()
        counts.written += 1
    }

    private static func output(_ path: String) throws -> OutputFile {
        let directory = URL(filePath: path).deletingLastPathComponent().path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        return try OutputFile(path)
    }

    // MARK: Import

    /// Stores all contents under their names.
    /// - Parameter isDryRun: whether the gateway only checks the contents.
    /// - Returns: the numbers of files that the gateway did not have before, and that it had.
    func importAll(into transfers: Transfers, isDryRun: Bool) async throws -> (made: Int, unchanged: Int) {
        let files = contents()
        let total = files.reduce(0) { $0 + $1.size }
        let line = ProgressLine()
        defer { line.end() }
        var (made, unchanged, done) = (0, 0, 0)
        for file in files {
            line.show(
                WorkProgress(
                    step: isDryRun ? "Checking the contents of files" : "Importing the contents of files", unit: .files,
                    done: made + unchanged, total: files.count,
                    part: Double(done) / Double(max(1, total))))
            let isMade = try await transfers.importContent(
                path + "/" + file.name, named: file.name, details: try details(of: file.name),
                isDryRun: isDryRun)
            if isMade { made += 1 } else { unchanged += 1 }
            done += file.size
        }
        return (made, unchanged)
    }

    /// All contents below the directory, with their sizes in bytes.
    private func contents() -> [(name: String, size: Int)] {
        var contents: [(name: String, size: Int)] = []
        let files = FileManager.default.enumerator(atPath: path)
        while let name = files?.nextObject() as? String {
            guard files?.fileAttributes?[.type] as? FileAttributeType == .typeRegular, !name.hasSuffix(".partial")
            else { continue }
            contents.append((name, (files?.fileAttributes?[.size] as? NSNumber)?.intValue ?? 0))
        }
        return contents
    }

    private func details(of name: String) throws -> JSONObject {
        let path = detailsPath + "/" + name + ".json"
        guard FileManager.default.fileExists(atPath: path) else { return [:] }
        guard let text = FileManager.default.contents(atPath: path),
            let details = try? JSONReader.read(Array(text)).object
        else { throw ConfigurationError("\(path) is no JSON object") }
        return details
    }
}
