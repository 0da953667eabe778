import ArgumentParser
import Gateway
import ParseModel

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Tells how a running gateway stands with its remote.",
        discussion: """
            Shows the time of the last sync, waiting changes, refused changes and conflicts.

            With --check one line, and an exit code for monitoring: 0 all is well; 1 something needs a look (the remote is out \
            of reach, syncing is paused, a conflict, a refused change, a removal held back, a first sync not complete, a class at a \
            limit); 2 nothing is synced until a person acts (wrong keys, no Parse Server at the address, a failing disk); 3 the gateway \
            does not answer.
            """)

    @OptionGroup var options: ClientOptions

    @Flag(help: "Print the answer of GET /sync as it is, or {\"error\": …}, for other programs.")
    var json = false

    @Flag(help: "Print one line, and end with an exit code by the state.")
    var check = false

    func run() async throws {
        let client = try options.client()
        do {
            let status = try await client.status()
            guard check else {
                Console.say(json ? status.jsonText : SyncText.status(status, url: client.url))
                return
            }
            try end(StatusCheck(status), json ? status.jsonText : nil)
        } catch let error as GatewayClientError where check {
            try end(StatusCheck(noAnswer: error.description), nil)
        } catch let error as GatewayClientError where json {
            try Console.sayAsJSON(error)
        }
    }

    private func end(_ check: StatusCheck, _ text: String?) throws {
        Console.say(text ?? check.line)
        if check.level != .ok { throw ExitCode(check.level.rawValue) }
    }
}
