import ArgumentParser
import Foundation
import Gateway
import ParseModel

/// `tidegate import`: writes the objects of files into a gateway.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Writes the objects of a file into a gateway.",
        discussion: """
            Reads NDJSON (.ndjson, .jsonl), CSV (.csv) and the class exports of Parse Server (.json), and directories of them. All \
            files and objects are checked before the first is written: if one is refused, nothing changes, unless --skip-refused \
            is given. \
            An object with the id of an object in the gateway changes it. The same import, run again, changes nothing, and \
            continues an import that was interrupted.

            Objects keep their times with the maintenance key (--maintenance-key), and in the data directory of a stopped \
            standalone gateway (--data). The exit code is 1 if objects were refused.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable { case ndjson, csv, parse }

    @OptionGroup var options: ConnectionOptions
    @Argument(help: "A file, a directory of files, or - for standard input.") var path: String
    @Option(
        name: .customLong("class"),
        help: "The class. Default: the className of each object; in a directory, the name of the file.")
    var className: String?
    @Option(help: "ndjson, csv or parse. Default: by the extension of the file.") var format: Format?
    @Flag(help: "Only check the objects, and print what the import would do.") var dryRun = false
    @Flag(help: "Import the objects that are not refused.") var skipRefused = false
    @Option(help: ArgumentHelp("Renames a field: from=to. An empty name leaves it out.", valueName: "a=b")) var rename:
        [String] = []
    @Option(help: ArgumentHelp("The type of a field: due=Date.", valueName: "field=type")) var type: [String] = []
    @Option(
        help: ArgumentHelp("The gateway's maintenance key. Safer: TIDEGATE_LOCAL_MAINTENANCE_KEY.", valueName: "key"))
    var maintenanceKey: String?
    @Flag(help: "Leave out the contents of files in a directory.") var withoutFiles = false
    @Flag(help: "Leave out the schemas, permissions and the global config in a directory.") var withoutSchemas = false
    @Flag(help: "Print the result as JSON, or {\"error\": …}.") var json = false

    func validate() throws {
        do {
            try Transfers.check(rename: rename, type: type)
        } catch {
            throw ValidationError("--rename, --type: \(error.message)")
        }
    }

    func run() async throws {
        do {
            try await importAll()
        } catch let error where json && !(error is ExitCode) {
            try Console.failAsJSON(error)
        }
    }

    private func importAll() async throws {
        let transfers = try await options.transfers(maintenanceKey: maintenanceKey)
        let input = try ImportSources(
            path: path, className: className, format: format, withSchemas: !withoutSchemas)
        defer { input.removeTemporaryFiles() }
        // The gateway checks one file before it writes the file. Of a directory, all files are checked before the first is written.
        if input.isDirectory, !dryRun, !skipRefused {
            guard try await check(input, transfers) else { throw ExitCode.failure }
        }
        if let files = input.files, !withoutFiles { try await importFiles(files, transfers) }
        var (isRefused, hasMade) = (false, false)
        var results: [JSONObject] = []
        for source in input.sources {
            let result = try await importOne(source, transfers, isCheck: dryRun)
            results.append(result)
            show(result, of: source)
            hasMade = hasMade || result["written"] == true && result["made"]?.int ?? 0 > 0
            isRefused = isRefused || result.isRefused
            // The members of relations need the objects of the files before them.
            if result["error"] != nil { break }
        }
        if !json { ImportTexts.missingFields(results).forEach(Console.printError) }
        if !json, hasMade, !transfers.keepsTimes {
            Console.printError("New objects have got new times: createdAt and updatedAt need the maintenance key.")
        }
        if isRefused { throw ExitCode.failure }
    }

    /// Checks all files of a directory, and shows those with refused objects.
    /// - Returns: whether no object is refused.
    private func check(_ input: ImportSources, _ transfers: Transfers) async throws -> Bool {
        if let files = input.files, !withoutFiles { _ = try await files.importAll(into: transfers, isDryRun: true) }
        var isRefused = false
        for source in input.sources {
            let result = try await importOne(source, transfers, isCheck: true)
            guard result.isRefused else { continue }
            isRefused = true
            show(result, of: source)
        }
        if isRefused, !json { Console.printError("Nothing was changed, because objects were refused.") }
        return !isRefused
    }

    private func show(_ result: JSONObject, of source: ImportSources.Source) {
        guard json else {
            return Console.print(
                ImportTexts.summary(result, of: source.className ?? source.shownName, isDryRun: dryRun))
        }
        var result = result
        result["file"] = .string(source.shownName)
        Console.print(result.jsonText)
    }

    /// Imports the contents before the objects that name them.
    private func importFiles(_ files: ExportedFiles, _ transfers: Transfers) async throws {
        let (made, unchanged) = try await files.importAll(into: transfers, isDryRun: dryRun)
        if json {
            let counts: JSONObject = ["made": .int(made), "unchanged": .int(unchanged)]
            Console.print((["files": .object(counts)] as JSONObject).jsonText)
        } else {
            Console.print("files: \(made) \(dryRun ? "would be made" : "made"), \(unchanged) unchanged")
        }
    }

    private func importOne(
        _ source: ImportSources.Source, _ transfers: Transfers, isCheck: Bool
    ) async throws -> JSONObject {
        var parameters: [(name: String, value: String)] = [("format", source.format.rawValue)]
        if isCheck { parameters.append(("dryRun", "true")) }
        if skipRefused { parameters.append(("skipRefused", "true")) }
        parameters += rename.map { ("rename", $0) } + type.map { ("type", $0) }
        let name = source.className ?? source.shownName
        let line = ProgressLine()
        defer { line.end() }
        return try await transfers.importFile(source.path, source.className, parameters) { progress in
            line.show(
                ImportTexts.progress(progress, of: name, isDryRun: isCheck), remark: ImportTexts.refused(progress))
        }
    }
}

extension JSONObject {
    /// Whether the result of an import has an error or refused objects.
    fileprivate var isRefused: Bool { self["error"] != nil || self["refused"]?.int ?? 0 > 0 }
}
