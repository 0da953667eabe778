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
        let (line, directory) = (ProgressLine(), try options.directory())
        defer { line.end() }
        let result = try await DirectoryCompaction.run(directory, stores: LocalStoreKind(), progress: line.report)
        line.end()
        Console.print(
            "\(ByteSize.text(result.bytesBefore)) before, \(ByteSize.text(result.bytesAfter)) after.")
    }
}
