import ArgumentParser
import Foundation
import Gateway
import ParseModel

/// `tidegate service`: the service that runs a user's gateway from log-in to log-out.
struct ServiceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service",
        abstract: "Installs, shows and removes a service that runs your gateway, without root.",
        discussion: """
            The service is a user unit of systemd, or an agent of launchd on macOS. It starts at your log-in, and uses the \
            data directory and the port of 'tidegate serve'.

            On Linux, the service also reads variables TIDEGATE_… from the file ~/.config/tidegate/environment, one a line. \
            Your services end with your last session, unless 'loginctl enable-linger' lets them run from the start of \
            the machine.

            For a gateway of the whole machine, the packages have the system service: sudo systemctl enable --now tidegate
            """,
        subcommands: [Install.self, Status.self, Remove.self])

    struct Install: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Installs the service, or replaces it, and starts it.")

        @Option(help: ArgumentHelp("The YAML file of settings for 'tidegate serve'.", valueName: "file"))
        var config: String?

        @Option(help: ArgumentHelp("The program that the service runs. Default: this program.", valueName: "path"))
        var program: String?

        @Flag(help: "Print the file of the service, and change nothing.") var print = false

        func run() async throws {
            let environment = ProcessInfo.processInfo.environment
            let directories = StandardDirectories.live(environment: environment)
            let settings = config.map(directories.absolute)
            if let settings, !FileManager.default.isReadableFile(atPath: settings) {
                throw ConfigurationError("--config: cannot read \(settings)")
            }
            guard let program = program.map(directories.absolute) ?? StandardDirectories.program else {
                throw ConfigurationError("the path of this program is unknown: name it with --program")
            }
            let service = try UserService(program: program, settings: settings, environment: environment)
            guard !print else { return Console.print(service.text.trimmingCharacters(in: .newlines)) }
            try service.checkManager()
            try service.install()
            Console.print("The service runs. Its file is \(service.path). \(service.logText)")
        }
    }

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows whether the service is installed and runs. The exit code is 3 if it does not run.")
        @Flag(help: "Print the state as JSON.") var json = false

        func run() async throws {
            let service = try UserService.ofThisUser()
            let isInstalled = FileManager.default.fileExists(atPath: service.path)
            let isRunning = UserService.succeeds(service.isRunning)
            if json {
                let state: JSONObject = [
                    "installed": .bool(isInstalled), "running": .bool(isRunning), "file": .string(service.path),
                ]
                Console.print(state.jsonText)
            } else {
                Console.print(
                    isInstalled
                        ? "Installed: \(service.path)"
                        : "Not installed by 'tidegate service install': there is no \(service.path)")
                Console.print(isRunning ? "Running. \(service.logText)" : "Not running.")
            }
            if !isRunning { throw ExitCode(3) }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Stops the service and removes its file. The data directory and the settings stay.")

        func run() async throws {
            let service = try UserService.ofThisUser()
            guard FileManager.default.fileExists(atPath: service.path) else {
                throw ConfigurationError("there is no service: \(service.path) does not exist")
            }
            try service.checkManager()
            try service.remove()
            Console.print("The service is removed. The data directory and the settings stay.")
        }
    }
}

extension UserService {
    /// The service of the user of this process, for commands that do not install it.
    fileprivate static func ofThisUser() throws -> UserService {
        try UserService(
            program: StandardDirectories.program ?? UserService.name,
            environment: ProcessInfo.processInfo.environment)
    }

    /// - Throws: `ConfigurationError` if the service manager of the system cannot manage services of this user.
    fileprivate func checkManager() throws(ConfigurationError) {
        guard !Self.succeeds(probe) else { return }
        let command = probe.prefix(2).joined(separator: " ")
        throw ConfigurationError(
            "'\(command)' does not work for this user, so a service cannot be installed or removed. "
                + "Run 'tidegate serve' under another supervisor, or log in directly instead of by su or sudo")
    }

    /// Writes the file of the service, and starts the service.
    /// - Throws: `ConfigurationError` if the file cannot be written, or if the service does not start. The file then stays.
    fileprivate func install() throws(ConfigurationError) {
        let directory = (path as NSString).deletingLastPathComponent
        do {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            // launchd refuses a service that it knows already.
            if manager == .launchd { _ = Self.succeeds(stop) }
            try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw ConfigurationError("cannot write \(path): \(error.localizedDescription)")
        }
        for command in start where !Self.succeeds(command, isShown: true) {
            // The service is started by the last command, and its log has the reason for a failure.
            let reason = command == start.last ? Self.output(lastLines).split(separator: "\n").last : nil
            throw ConfigurationError(
                "'\(command.joined(separator: " "))' failed, so the service does not run"
                    + (reason.map { " (\($0))" } ?? "") + ". \(logText)")
        }
    }

    /// Stops the service, and removes its file.
    /// - Throws: `ConfigurationError` if the service cannot be stopped, or its file cannot be removed.
    fileprivate func remove() throws(ConfigurationError) {
        guard Self.succeeds(stop, isShown: true) || manager == .launchd else {
            throw ConfigurationError("'\(stop.joined(separator: " "))' failed, so the service stays")
        }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw ConfigurationError("cannot remove \(path): \(error.localizedDescription)")
        }
        if let forget { _ = Self.succeeds(forget, isShown: true) }
    }

    /// Runs a command of the system and waits for its end.
    /// - Parameter isShown: whether its output is shown on standard error.
    fileprivate static func succeeds(_ command: [String], isShown: Bool = false) -> Bool {
        let output = isShown ? FileHandle.standardError : FileHandle.nullDevice
        let process = process(command, output: output, errors: output)
        do { try process.run() } catch { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// Runs a command of the system.
    /// - Returns: its standard output; an empty text if it cannot run.
    private static func output(_ command: [String]) -> String {
        let pipe = Pipe()
        let process = process(command, output: pipe, errors: .nullDevice)
        do { try process.run() } catch { return "" }
        let bytes = try? pipe.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        return String(decoding: bytes ?? Data(), as: UTF8.self)
    }

    /// - Parameter output: a `FileHandle` or a `Pipe`.
    private static func process(_ command: [String], output: Any, errors: FileHandle) -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        return process
    }
}
