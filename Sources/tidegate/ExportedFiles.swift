import Foundation
import Gateway
import ParseModel

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
    }

    /// Writes the contents of the files that the objects in an NDJSON file name. Holds one line of it in memory.
    func write(of ndjson: String, from transfers: Transfers, _ counts: inout Counts) async throws {
        let file = try FileHandle(forReadingFrom: URL(filePath: ndjson))
        var rest: [UInt8] = []
        while let piece = try file.read(upToCount: 1 << 18), !piece.isEmpty {
            rest += piece
            var start = 0
            while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
                for file in Self.files(in: rest[start..<end]) { try await write(file, from: transfers, &counts) }
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
        if Console.showsProgress { Console.progress("Exporting files · \(counts.written)") }
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
        var (made, unchanged) = (0, 0)
        let files = FileManager.default.enumerator(atPath: path)
        while let name = files?.nextObject() as? String {
            guard files?.fileAttributes?[.type] as? FileAttributeType == .typeRegular, !name.hasSuffix(".partial")
            else { continue }
            let isMade = try await transfers.importContent(
                path + "/" + name, named: name, details: try details(of: name), isDryRun: isDryRun)
            if isMade { made += 1 } else { unchanged += 1 }
            if Console.showsProgress {
                Console.progress("\(isDryRun ? "Checking" : "Importing") files · \(made + unchanged)")
            }
        }
        if Console.showsProgress { Console.progress("") }
        return (made, unchanged)
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
