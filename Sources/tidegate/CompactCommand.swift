import ArgumentParser
import Gateway
import LocalStore

/// `tidegate compact`: returns unused space of the SQLite files to the file system.
struct CompactCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Rewrites the SQLite files of a stopped gateway without unused space.",
        discussion: """
            The gateway uses the space of removed objects again, so this is worth its time only after a large removal. The \
            data directory needs free space for two further copies of the largest SQLite file meanwhile.
            """)

    @OptionGroup var options: DirectoryOptions

    func run() async throws {
        let result = try await DirectoryCompaction.run(try options.directory(), stores: LocalStoreKind())
        Console.print(
            "\(BackupCommand.size(result.bytesBefore)) before, \(BackupCommand.size(result.bytesAfter)) after.")
    }
}
