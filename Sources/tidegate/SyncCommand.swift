import ArgumentParser
import Gateway
import ParseModel

/// `tidegate sync`: runs one sync of a running gateway and prints its result.
struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Starts a sync in a running gateway and waits for its end.",
        discussion: """
            Shows the progress on a terminal, then a summary of the sync and the number of local objects. The exit code is 3 if \
            the gateway or its remote is unreachable. Nothing is lost in that case: the gateway retries automatically.
            """)

    enum Phase: String, ExpressibleByArgument, CaseIterable { case push, pull }

    @OptionGroup var options: ConnectionOptions
    @Option(help: "Only push local changes, or only pull remote changes.") var phase: Phase?
    @Flag(help: "Print the summary as JSON, or {\"error\": …}.") var json = false
    @Flag(help: "Run a full audit: compare every pulled object with the remote.") var audit = false

    func validate() throws {
        if audit, phase == .push { throw ValidationError("--audit requires a pull: remove --phase push") }
    }

    func run() async throws {
        do {
            try await syncAndReport()
        } catch let error where json {
            try Console.failAsJSON(error)
        }
    }

    private func syncAndReport() async throws {
        let client = try await options.runningClient(.user)
        let summary = try await withThrowingTaskGroup(of: Void.self) { group in
            if Console.showsProgress { group.addTask { try await showProgress(of: client) } }
            defer { group.cancelAll() }
            return try await client.sync(phase: phase?.rawValue, audits: audit)
        }
        if Console.showsProgress { Console.progress("") }
        let end = if let summary { summary } else { try await awaitEnd(client) }
        Console.print(json ? end.jsonText : SyncText.summary(end))
        guard !json, let status = try? await client.status(), let total = SyncText.total(status) else { return }
        Console.print(total)
    }

    /// Updates the progress line until the task is cancelled. A failed request for the status leaves the line unchanged.
    private func showProgress(of client: GatewayClient) async throws {
        while true {
            try await Environment.live.sleep(.milliseconds(250))
            guard let status = try? await client.status() else { continue }
            try Task.checkCancellation()
            Console.progress(SyncText.progress(status))
        }
    }

    /// Polls the gateway's status until the sync has ended. Used if the request that runs the sync ends without a complete
    /// response.
    private func awaitEnd(_ client: GatewayClient) async throws -> JSONObject {
        while true {
            let status = try await client.status()
            if status["state"]?.string != "running" {
                guard let error = SyncText.lastError(status) else { return status["lastSummary"]?.object ?? [:] }
                throw ConfigurationError("the sync failed: \(error)")
            }
            if Console.showsProgress { Console.progress(SyncText.progress(status)) }
            try await Environment.live.sleep(.seconds(1))
        }
    }
}
