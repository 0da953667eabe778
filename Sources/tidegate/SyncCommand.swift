import ArgumentParser
import Gateway
import ParseModel

struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Asks a running gateway to sync, and waits until it has.",
        discussion: """
            Shows the progress on a terminal and ends with one line of what was done. Ends with exit code 1 where the \
            gateway or its remote cannot be reached; nothing is lost then, and the gateway goes on trying by itself.
            """)

    enum Phase: String, ExpressibleByArgument, CaseIterable { case push, pull }

    @OptionGroup var options: ClientOptions
    @Option(help: "Only send what waits here, or only bring what is new there.") var phase: Phase?
    @Flag(help: "Compare all that is pulled with the remote, whether or not that is due.") var audit = false

    func validate() throws {
        if audit, phase == .push { throw ValidationError("an audit is part of a pull") }
    }

    func run() async throws {
        let client = try options.client()
        let summary = try await withThrowingTaskGroup(of: Void.self) { group in
            if Console.showsProgress { group.addTask { try await showProgress(of: client) } }
            defer { group.cancelAll() }
            return try await client.sync(phase: phase?.rawValue, audits: audit)
        }
        if Console.showsProgress { Console.progress("") }
        if let summary {
            Console.say(SyncText.summary(summary))
        } else {
            Console.say(try await awaitEnd(client))
        }
    }

    /// Repeats the state until cancelled. What goes wrong here, the sync itself will tell.
    private func showProgress(of client: GatewayClient) async throws {
        while true {
            try await Environment.live.sleep(.milliseconds(250))
            guard let status = try? await client.status() else { continue }
            try Task.checkCancellation()
            Console.progress(SyncText.progress(status))
        }
    }

    /// For a sync that took longer than one connection holds.
    private func awaitEnd(_ client: GatewayClient) async throws -> String {
        while true {
            let status = try await client.status()
            if status["state"]?.string != "running" {
                guard let error = SyncText.lastError(status) else {
                    return SyncText.summary(status["lastSummary"]?.object ?? [:])
                }
                throw ConfigurationError("the sync did not end well: \(error)")
            }
            if Console.showsProgress { Console.progress(SyncText.progress(status)) }
            try await Environment.live.sleep(.seconds(1))
        }
    }
}
