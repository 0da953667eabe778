import ArgumentParser
import Gateway
import LocalStore
import ParseModel

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
    @Flag(help: "Print the sizes as JSON, or {\"error\": …}.") var json = false

    func run() async throws {
        do {
            try await compact()
        } catch let error where json {
            try Console.failAsJSON(error)
        }
    }

    private func compact() async throws {
        let (line, directory) = (ProgressLine(), try options.directory())
        defer { line.end() }
        let result = try await DirectoryCompaction.run(
            directory, stores: LocalStoreKind(), progress: line.report)
        line.end()
        if json {
            let sizes: JSONObject = ["bytesBefore": .int(result.bytesBefore), "bytesAfter": .int(result.bytesAfter)]
            return Console.print(sizes.jsonText)
        }
        Console.print(
            "\(ByteSize.text(result.bytesBefore)) before, \(ByteSize.text(result.bytesAfter)) after.")
    }
}
