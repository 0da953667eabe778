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
        if withPasswordHashes, format == .csv { throw ValidationError("--with-password-hashes is not for csv") }
        if withPasswordHashes, !classes.isEmpty, !classes.contains("_User") {
            throw ValidationError("--with-password-hashes needs the class _User")
        }
    }

    func run() async throws {
        // Only the owner of the files may read the hashes.
        if withPasswordHashes { umask(0o077) }
        let transfers = try await options.transfers()
        var parameters: [(name: String, value: String)] = []
        for (name, value) in [("where", `where`), ("order", order), ("keys", keys)] {
            if let value { parameters.append((name, value)) }
        }
        guard isDirectory else {
            return try await export(classes.first, parameters, to: to, transfers)
        }
        try FileManager.default.createDirectory(atPath: to, withIntermediateDirectories: true)
        let directory = to.hasSuffix("/") ? to : to + "/"
        if let database = format.database {
            return try await export(
                DatabaseExport(
                    database: database, directory: directory, transfers: transfers, parameters: parameters,
                    withPasswordHashes: withPasswordHashes))
        }
        let names = classes.isEmpty ? try await allNames(transfers) : classes
        for (place, name) in names.enumerated() {
            if Console.showsProgress { Console.progress("Exporting \(name) · \(place + 1) of \(names.count)") }
            try await export(name, parameters, to: directory + name + "." + format.fileExtension, transfers)
        }
        if files { try await exportFiles(of: names, transfers) }
        if Console.showsProgress { Console.progress("") }
    }

    private func allNames(_ transfers: Transfers) async throws -> [String] {
        try await transfers.sources().map(\.className).filter { format != .csv || !Transfers.isSetting($0) }
    }

    private func export(_ export: DatabaseExport) async throws {
        let foreignHashes = try await export.run(classes)
        if Console.showsProgress { Console.progress("") }
        if foreignHashes > 0 {
            Console.printError(
                "Left out the passwords of \(foreignHashes.counted("user")): Parse Server cannot check their hashes.")
        }
        Console.printError("Wrote \(to).")
    }

    private func exportFiles(of classes: [String], _ transfers: Transfers) async throws {
        let contents = ExportedFiles(beside: to)
        var counts = ExportedFiles.Counts()
        let directory = to.hasSuffix("/") ? to : to + "/"
        for name in classes where RelationJoin(name) == nil {
            try await contents.write(of: directory + name + "." + format.fileExtension, from: transfers, &counts)
        }
        if Console.showsProgress { Console.progress("") }
        Console.printError("Wrote \(counts.written.counted("file")). \(counts.present) were there before.")
        if counts.missing > 0 {
            Console.printError(
                "The gateway does not have the contents of \(counts.missing.counted("reference")) to files.")
        }
    }

    private func export(
        _ className: String?, _ parameters: [(name: String, value: String)], to path: String, _ transfers: Transfers
    ) async throws {
        let file = try OutputFile(path)
        var parameters = [("format", format.rawValue)] + parameters
        if withPasswordHashes, className == nil || className == "_User" {
            parameters.append(("passwordHashes", "true"))
        }
        try await transfers.export(className, parameters) { file.write($0) }
        try file.finish()
        if path != "-", !Console.showsProgress || !isDirectory { Console.printError("Wrote \(path).") }
    }
}
