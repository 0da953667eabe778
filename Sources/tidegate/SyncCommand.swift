import ArgumentParser
import Gateway
import ParseModel

struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Asks a running gateway to sync, and waits until it has.",
        discussion: """
            Shows the progress on a terminal and ends with what was done, and what is kept now. Ends with exit code 1 where the \
            gateway or its remote cannot be reached; nothing is lost then, and the gateway goes on trying by itself.
            """)

    enum Phase: String, ExpressibleByArgument, CaseIterable { case push, pull }

    @OptionGroup var options: ClientOptions
    @Option(help: "Only send what waits here, or only bring what is new there.") var phase: Phase?
    @Flag(help: "Print the summary of the sync as JSON, or {\"error\": …}, for other programs.") var json = false
    @Flag(help: "Compare all that is pulled with the remote, whether or not that is due.") var audit = false

    func validate() throws {
        if audit, phase == .push { throw ValidationError("an audit is part of a pull") }
    }

    func run() async throws {
        do {
            try await syncAndTell()
        } catch let error where json {
            try Console.sayAsJSON(error)
        }
    }

    private func syncAndTell() async throws {
        let client = try options.client()
        let summary = try await withThrowingTaskGroup(of: Void.self) { group in
            if Console.showsProgress { group.addTask { try await showProgress(of: client) } }
            defer { group.cancelAll() }
            return try await client.sync(phase: phase?.rawValue, audits: audit)
        }
        if Console.showsProgress { Console.progress("") }
        let end = if let summary { summary } else { try await awaitEnd(client) }
        Console.say(json ? end.jsonText : SyncText.summary(end))
        guard !json, let status = try? await client.status(), let total = SyncText.total(status) else { return }
        Console.say(total)
    }

    /// Repeats the state until cancelled. The sync itself tells errors.
    private func showProgress(of client: GatewayClient) async throws {
        while true {
            try await Environment.live.sleep(.milliseconds(250))
            guard let status = try? await client.status() else { continue }
            try Task.checkCancellation()
            Console.progress(SyncText.progress(status))
        }
    }

    /// For a sync that took longer than one connection holds.
    private func awaitEnd(_ client: GatewayClient) async throws -> JSONObject {
        while true {
            let status = try await client.status()
            if status["state"]?.string != "running" {
                guard let error = SyncText.lastError(status) else { return status["lastSummary"]?.object ?? [:] }
                throw ConfigurationError("the sync did not end well: \(error)")
            }
            if Console.showsProgress { Console.progress(SyncText.progress(status)) }
            try await Environment.live.sleep(.seconds(1))
        }
    }
}
