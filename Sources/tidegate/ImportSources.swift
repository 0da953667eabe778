import ArgumentParser
import Foundation
import Gateway
import ParseModel

/// The files of an import, in order.
struct ImportSources {
    struct Source {
        let path: String
        /// The name of the file for people.
        let shownName: String
        /// Nil if each object names its class.
        let className: String?
        let format: ImportCommand.Format
        var isTemporary = false
    }

    let sources: [Source]
    /// Whether the sources are the files of a directory.
    let isDirectory: Bool
    /// The contents of files in the directory of the import; nil if there are none.
    let files: ExportedFiles?

    func removeTemporaryFiles() {
        for source in sources where source.isTemporary { unlink(source.path) }
    }

    /// - Parameter withSchemas: whether a directory's files of schemas and of the global config are imported.
    /// - Throws: `ConfigurationError` if there is no such file, and for a file of an unknown format.
    init(path: String, className: String?, format: ImportCommand.Format?, withSchemas: Bool) throws {
        let contents = ExportedFiles(beside: path)
        files = FileManager.default.fileExists(atPath: contents.path) ? contents : nil
        var isDirectory = false as ObjCBool
        let exists = path != "-" && FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        self.isDirectory = isDirectory.boolValue
        if path == "-" {
            sources = [
                Source(
                    path: try Self.standardInput(), shownName: "standard input", className: className,
                    format: format ?? .ndjson, isTemporary: true)
            ]
            return
        }
        guard exists else { throw ConfigurationError("there is no file \(path)") }
        guard self.isDirectory else {
            sources = [try Self.source(path, className, format)]
            return
        }
        guard className == nil else { throw ConfigurationError("--class is for one file, and \(path) is a directory") }
        let names = try FileManager.default.contentsOfDirectory(atPath: path).filter {
            !$0.hasPrefix(".") && Self.format(of: $0) != nil
        }
        sources = try names.map { name in
            let className = String(name.prefix(upTo: name.lastIndex(of: ".") ?? name.endIndex))
            return try Self.source(path + "/" + name, className, format)
        }.filter {
            withSchemas || !Transfers.isSetting($0.className ?? "")
        }.sorted { (Self.place($0), $0.shownName) < (Self.place($1), $1.shownName) }
        guard !sources.isEmpty else { throw ConfigurationError("\(path) has no files to import") }
    }

    /// The members of relations come after the objects, and default values and required fields after both.
    private static func place(_ source: Source) -> Int {
        let className = source.className ?? ""
        return Transfers.isSetting(className) ? 2 : RelationJoin(className) != nil ? 1 : 0
    }

    private static func source(
        _ path: String, _ className: String?, _ format: ImportCommand.Format?
    ) throws -> Source {
        guard let format = format ?? Self.format(of: path) else {
            throw ConfigurationError("the format of \(path) is unknown: name it with --format")
        }
        return Source(
            path: path, shownName: URL(filePath: path).lastPathComponent, className: className, format: format)
    }

    private static func format(of path: String) -> ImportCommand.Format? {
        switch URL(filePath: path).pathExtension.lowercased() {
        case "ndjson", "jsonl": .ndjson
        case "csv": .csv
        case "json": .parse
        default: nil
        }
    }

    /// Copies standard input to a temporary file, because its length must be known and it is read twice.
    private static func standardInput() throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(
            path: "tidegate-import-\(Environment.live.requestId())"
        ).path
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let file = FileHandle(forWritingAtPath: path)
        else { throw ConfigurationError("cannot write \(path)") }
        while let piece = try FileHandle.standardInput.read(upToCount: 1 << 20), !piece.isEmpty {
            try file.write(contentsOf: piece)
        }
        try file.close()
        return path
    }
}
