import ArgumentParser
import Foundation
import Gateway
import LocalStore
import ParseModel

/// The data directory of a command that reads or writes it without a gateway.
struct DirectoryOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The data directory. Default: that of 'serve'. (TIDEGATE_DATA)", valueName: "dir"))
    var data: String?

    /// The absolute path of the directory.
    /// - Throws: `ConfigurationError` if there is no default directory.
    func directory(environment: [String: String] = ProcessInfo.processInfo.environment) throws -> String {
        let directories = StandardDirectories.live(environment: environment)
        let named = data ?? environment[Setting.data.variable].flatMap { $0.isEmpty ? nil : $0 }
        guard let path = named.map(directories.absolute) ?? directories.data(named: "tidegate") else {
            throw ConfigurationError("--data: the data directory is unknown, because HOME is not set")
        }
        return path
    }

    /// Makes the path of a file absolute.
    static func absolute(_ path: String) -> String {
        StandardDirectories.live(environment: ProcessInfo.processInfo.environment).absolute(path)
    }
}

/// `tidegate backup`: writes a backup of a data directory.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Writes a backup of a data directory to one file. The gateway may run.",
        discussion: """
            The file is a tar archive with the SQLite file, the contents of files, the data of all users, the master key and \
            the connection of the gateway. It is read again and compared before the command ends. Only its owner can read it: \
            keep it as secret as the data directory. The key of session tokens is not part of a backup.
            """)

    @OptionGroup var options: DirectoryOptions
    @Flag(help: "Print the result as JSON, or {\"error\": …}.") var json = false
    @Argument(help: ArgumentHelp("A new file for the backup.", valueName: "file")) var file: String

    func run() async throws {
        do {
            Console.print(try await write())
        } catch let error where json {
            try Console.failAsJSON(error)
        }
    }

    /// Writes the backup.
    /// - Returns: the text for standard output.
    private func write() async throws -> String {
        let writer = BackupWriter(directory: try options.directory(), stores: LocalStoreKind())
        let path = DirectoryOptions.absolute(file)
        let line = ProgressLine()
        defer { line.end() }
        let result = try await writer.write(to: path, progress: line.report)
        line.end()
        for sha256 in result.missingContents {
            Console.printError("! The content \(sha256) of a file is missing in the data directory.")
        }
        if json { return Self.json(result, path).jsonText }
        let spaces = result.storeCount > 1 ? ", the data of \((result.storeCount - 1).counted("user"))" : ""
        return "Wrote and verified \(path): \(result.manifest.entries.count.counted("file"))\(spaces), "
            + "\(ByteSize.text(result.byteCount))."
    }

    /// `{"file":"…","bytes":4096,"files":3,"stores":1,"createdAt":"…","missingContents":[]}`
    static func json(_ result: BackupWriter.Written, _ path: String) -> JSONObject {
        [
            "file": .string(path), "bytes": .int(result.byteCount), "files": .int(result.manifest.entries.count),
            "stores": .int(result.storeCount), "createdAt": .string(result.manifest.createdAt.iso),
            "missingContents": .array(result.missingContents.map(JSONValue.string)),
        ]
    }
}

/// `tidegate restore`: makes a data directory from a backup.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Makes a data directory from a backup.",
        discussion: """
            The directory must be missing or empty. The backup is compared with its sums first. The directory appears when it \
            is complete, so a failed restore leaves nothing behind. Run the command as the user that runs the gateway.

            A restored replica compares each change that waited in the backup with the remote, and asks where it cannot \
            tell whether the change was sent after the backup.
            """)

    @Option(help: ArgumentHelp("The new data directory.", valueName: "dir")) var data: String
    @Flag(help: "Continue the gateway of the backup, which has not run since the backup and never runs again.")
    var move = false
    @Flag(help: "Print the result as JSON, or {\"error\": …}.") var json = false
    @Argument(help: ArgumentHelp("The backup.", valueName: "file")) var file: String

    func run() async throws {
        do {
            Console.print(try await restore())
        } catch let error where json {
            try Console.failAsJSON(error)
        }
    }

    /// Restores the backup.
    /// - Returns: the text for standard output.
    private func restore() async throws -> String {
        let directory = DirectoryOptions.absolute(data)
        let line = ProgressLine()
        defer { line.end() }
        let manifest = try await BackupRestorer(stores: LocalStoreKind())
            .restore(DirectoryOptions.absolute(file), to: directory, moves: move, progress: line.report)
        if json { return Self.json(manifest, directory).jsonText }
        return
            "Restored \(manifest.entries.count.counted("file")), \(ByteSize.text(manifest.byteCount)), of the backup "
            + "of \(manifest.createdAt.iso) to \(directory)."
    }

    /// `{"dataDirectory":"…","files":3,"bytes":4096,"createdAt":"…"}`
    private static func json(_ manifest: BackupManifest, _ directory: String) -> JSONObject {
        [
            "dataDirectory": .string(directory), "files": .int(manifest.entries.count),
            "bytes": .int(manifest.byteCount), "createdAt": .string(manifest.createdAt.iso),
        ]
    }
}
