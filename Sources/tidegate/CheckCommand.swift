import ArgumentParser
import Gateway
import LocalStore
import ParseModel

/// `tidegate check`: checks a data directory or a backup.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks a data directory, or a backup, for damage. The gateway may run.",
        discussion: """
            Checks the structure of the SQLite files, every object, the rules between tables, and the SHA-256 of the \
            contents of files. It changes nothing. The exit code is 0 without damage, 1 with damage, and 2 if the check \
            cannot run.
            """)

    @OptionGroup var options: DirectoryOptions
    @Option(help: ArgumentHelp("Check a backup instead.", valueName: "file")) var backup: String?
    @Flag(help: "Print the findings as JSON, or {\"error\": …}.") var json = false

    private static let cannotRun = ExitCode(2)

    func validate() throws {
        if backup != nil, options.data != nil { throw ValidationError("--backup checks a file: leave out --data") }
    }

    func run() async throws {
        do {
            try await check()
        } catch is ExitCode {
            throw ExitCode.failure
        } catch {
            if json { Console.print((["error": .string("\(error)")] as JSONObject).jsonText) }
            if !json { Console.printError("Error: \(error)") }
            throw Self.cannotRun
        }
    }

    private func check() async throws {
        let isSound: Bool
        if let backup { isSound = try await self.isSound(backup) } else { isSound = try await self.isSound() }
        if !isSound { throw ExitCode.failure }
    }

    private func isSound() async throws -> Bool {
        let line = ProgressLine()
        defer { line.end() }
        let check = try await DirectoryCheck(
            directory: try options.directory(), stores: LocalStoreKind(), progress: line.report)
        line.end()
        if json { Console.print(check.json.jsonText) } else { print(check) }
        return check.isSound
    }

    private func isSound(_ backup: String) async throws -> Bool {
        let archive = BackupArchive(DirectoryOptions.absolute(backup))
        let progress = ProgressLine()
        defer { progress.end() }
        let checked = try await archive.check(progress: progress.report)
        progress.end()
        let json: JSONObject
        let line: String
        switch checked {
        case .success(let manifest):
            let (files, time) = (manifest.entries.count, manifest.createdAt.iso)
            json = ["sound": true, "files": .int(files), "createdAt": .string(time), "findings": []]
            line = "✓ The backup of \(time) is complete: \(files.counted("file"))."
        case .failure(let error):
            json = ["sound": false, "findings": [.string(error.description)]]
            line = "✗ \(error.description)"
        }
        Console.print(self.json ? json.jsonText : line)
        if case .success = checked { return true }
        return false
    }

    private func print(_ check: DirectoryCheck) {
        for store in check.stores {
            let place = store.path.isEmpty ? check.directory : "\(check.directory)/\(store.path)"
            let findings = store.findings
            for line in findings.lines { Console.print("✗ \(place): \(line)") }
            let counts =
                "\(findings.objectCount.counted("object")), \(findings.contentCount.counted("content")) of files"
            if findings.isSound { Console.print("✓ \(place) is sound: \(counts).") }
            if findings.isOfEarlierVersion {
                Console.print("  The file has an earlier version, so its rules between tables were not checked.")
            }
            let orphans = findings.orphanedContents.count
            if orphans > 0 {
                Console.print("  \(orphans.counted("content")) belong to no file. The gateway removes them.")
            }
        }
    }
}
