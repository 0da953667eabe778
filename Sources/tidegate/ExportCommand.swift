import ArgumentParser
import Foundation
import Gateway
import ParseModel

/// `tidegate export`: writes the objects of a gateway into files.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes all objects of classes into files.",
        discussion: """
            Without a class, exports all classes, the members of their relations, the schemas with the permissions, and the global \
            config. --to names a directory, which gets one file a \
            class, or a file, or - for standard output. One file with several classes is NDJSON, in which each object names its \
            class. 'tidegate import' reads all these files, except those for databases (--format mongo and --format postgres).

            Works on a running gateway (--url), or on the data directory of a stopped one (--data). All classes together need the \
            master key of the gateway; with --session-file, named classes have the objects that the user may read.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case ndjson, csv, parse, mongo, postgres

        /// The database of a Parse Server for which the files are written; nil for a format of the gateway.
        var database: DatabaseExport.Database? {
            switch self {
            case .mongo: .mongo
            case .postgres: .postgres
            default: nil
            }
        }

        var fileExtension: String { self == .parse ? "json" : rawValue }
    }

    @OptionGroup var options: ConnectionOptions
    @Argument(help: "The classes. Default: all.") var classes: [String] = []
    @Option(
        help: """
            ndjson, csv, parse: the form of Parse Server's class exports, or mongo or postgres: files for the database of a \
            Parse Server, with the schemas of the classes.
            """)
    var format = Format.ndjson
    @Option(help: ArgumentHelp("A directory, a file, or - for standard output.", valueName: "path")) var to = "-"
    @Option(help: ArgumentHelp("Only objects that match this query, in JSON.", valueName: "json")) var `where`: String?
    @Option(help: "The fields by which the objects are sorted: --order=-due,name.") var order: String?
    @Option(help: "The fields to export, separated by commas.") var keys: String?

    @Flag(help: "Also write the contents of the files that the objects name, below 'files' in the directory.")
    var files = false
    @Flag(help: "Add the hashes of users' passwords, with which an import lets them log in. Needs the master key.")
    var withPasswordHashes = false
    @Flag(help: "Print the counts of an export into files as JSON, or {\"error\": …}.") var json = false

    private var isDirectory: Bool {
        var isDirectory = false as ObjCBool
        return to.hasSuffix("/")
            || FileManager.default.fileExists(atPath: to, isDirectory: &isDirectory)
                && isDirectory.boolValue
    }

    func validate() throws {
        if classes.count != 1, `where` != nil || order != nil || keys != nil {
            throw ValidationError("--where, --order and --keys need one class")
        }
        if let `where` {
            do { _ = try ObjectInput.json(`where`) } catch { throw ValidationError("--where: \(error)") }
        }
        if format.database != nil, !isDirectory || order != nil || keys != nil {
            throw ValidationError("--format \(format.rawValue) needs a directory and all fields: end --to with a slash")
        }
        if classes.count != 1, !isDirectory, format != .ndjson {
            throw ValidationError("one file with several classes is NDJSON: name a directory with --to, or one class")
        }
        if classes.count > 1, !isDirectory {
            throw ValidationError("several classes need a directory: end --to with a slash")
        }
        if files, !isDirectory || format != .ndjson || keys != nil {
            throw ValidationError("--files needs a directory and NDJSON with all fields: end --to with a slash")
        }
        if json, to == "-" { throw ValidationError("--json needs a file or a directory: name it with --to") }
        if withPasswordHashes, format == .csv { throw ValidationError("--with-password-hashes is not for csv") }
        if withPasswordHashes, !classes.isEmpty, !classes.contains("_User") {
            throw ValidationError("--with-password-hashes needs the class _User")
        }
    }

    func run() async throws {
        do {
            try await exportAll()
        } catch let error where json {
            try Console.failAsJSON(error)
        }
    }

    private func exportAll() async throws {
        // Only the owner of the files may read the hashes.
        if withPasswordHashes { umask(0o077) }
        let transfers = try await options.transfers()
        var parameters: [(name: String, value: String)] = []
        for (name, value) in [("where", `where`), ("order", order), ("keys", keys)] {
            if let value { parameters.append((name, value)) }
        }
        let line = line()
        defer { line.end() }
        guard isDirectory else {
            let sources = line.isShown && `where` == nil ? try? await transfers.sources() : nil
            let progress = ExportProgress(line, of: classes, in: sources)
            try await export(classes.first, parameters, to: to, transfers, progress)
            line.end()
            return report(["objects": .int(progress.objects)])
        }
        try FileManager.default.createDirectory(atPath: to, withIntermediateDirectories: true)
        if let database = format.database {
            let export = DatabaseExport(
                database: database, directory: directory, transfers: transfers, parameters: parameters,
                withPasswordHashes: withPasswordHashes)
            return try await self.export(export, line)
        }
        try await exportClasses(parameters, transfers, line)
    }

    /// The progress would mix with objects on the same terminal.
    private func line() -> ProgressLine {
        ProgressLine(isShown: Console.showsProgress && (to != "-" || isatty(STDOUT_FILENO) == 0))
    }

    /// The path of the directory, with a slash at its end.
    private var directory: String { to.hasSuffix("/") ? to : to + "/" }

    /// Prints the counts in JSON, or that the file or the directory is written.
    private func report(_ counts: JSONObject) {
        if json {
            var result: JSONObject = ["to": .string(to)]
            for (name, count) in counts { result[name] = count }
            Console.print(result.jsonText)
        } else if to != "-" {
            Console.printError("Wrote \(to).")
        }
    }

    // MARK: A directory

    private func exportClasses(
        _ parameters: [(name: String, value: String)], _ transfers: Transfers, _ line: ProgressLine
    ) async throws {
        let sources: [Transfers.Source]?
        if classes.isEmpty {
            sources = try await transfers.sources().filter { format != .csv || !Transfers.isSetting($0.className) }
        } else {
            sources = line.isShown && `where` == nil ? try? await transfers.sources() : nil
        }
        let names = classes.isEmpty ? sources?.map(\.className) ?? [] : classes
        let progress = ExportProgress(line, of: names, in: sources)
        for name in names {
            try await export(name, parameters, to: directory + name + "." + format.fileExtension, transfers, progress)
        }
        var counts: JSONObject = ["classes": .int(names.count), "objects": .int(progress.objects)]
        line.end()
        if files { counts["files"] = .object(try await exportFiles(of: names, transfers).json) }
        report(counts)
    }

    private func export(_ export: DatabaseExport, _ line: ProgressLine) async throws {
        let result = try await export.run(classes, line)
        line.end()
        if result.foreignHashes > 0 {
            Console.printError(
                "Left out the passwords of \(result.foreignHashes.counted("user")): Parse Server cannot check their hashes."
            )
        }
        report([
            "classes": .int(result.classes), "objects": .int(result.objects),
            "passwordsLeftOut": .int(result.foreignHashes),
        ])
    }

    private func exportFiles(
        of classes: [String], _ transfers: Transfers
    ) async throws -> ExportedFiles.Counts {
        // The time left is that of the files, so it is computed from their begin.
        let line = line()
        defer { line.end() }
        let paths = classes.filter { RelationJoin($0) == nil }.map { directory + $0 + "." + format.fileExtension }
        let counts = try await ExportedFiles(beside: to).writeAll(of: paths, from: transfers, line)
        line.end()
        if !json {
            Console.printError("Wrote \(counts.written.counted("file")). \(counts.present) were there before.")
        }
        if counts.missing > 0 {
            Console.printError(
                "The gateway does not have the contents of \(counts.missing.counted("reference")) to files.")
        }
        return counts
    }

    // MARK: A file

    private func export(
        _ className: String?, _ parameters: [(name: String, value: String)], to path: String, _ transfers: Transfers,
        _ progress: ExportProgress
    ) async throws {
        let file = try OutputFile(path)
        var parameters = [("format", format.rawValue)] + parameters
        if withPasswordHashes, className == nil || className == "_User" {
            parameters.append(("passwordHashes", "true"))
        }
        progress.begin(className, format)
        let counts = json || progress.isShown
        try await transfers.export(className, parameters) { piece in
            if counts { progress.take(piece) }
            return file.write(piece)
        }
        try file.finish()
    }
}
