import ArgumentParser
import Gateway
import ParseModel

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows the sync status of a running gateway.",
        discussion: """
            Shows the time of the last sync, unsent changes, rejected changes and conflicts.

            --check prints one line and sets an exit code for monitoring:
              0  OK
              1  needs attention: remote unreachable, sync paused, a conflict, a rejected change, a removal held back,
                 an incomplete initial sync, or a class at a limit
              2  sync has stopped until an operator acts: wrong keys, another kind of server at the address, or a failing disk
              3  the gateway does not respond
            """)

    @OptionGroup var options: ClientOptions

    @Flag(help: "Print the JSON of GET /sync, or {\"error\": …}.")
    var json = false

    @Flag(help: "Print one line and set the exit code by the state.")
    var check = false

    func run() async throws {
        let client = try options.client()
        do {
            let status = try await client.status()
            guard check else {
                Console.print(json ? status.jsonText : SyncText.status(status, url: client.url))
                return
            }
            try end(StatusCheck(status), json ? status.jsonText : nil)
        } catch let error as GatewayClientError where check {
            try end(StatusCheck(noAnswer: error.description), nil)
        } catch let error as GatewayClientError where json {
            try Console.failAsJSON(error)
        }
    }

    private func end(_ check: StatusCheck, _ text: String?) throws {
        Console.print(text ?? check.line)
        if check.level != .ok { throw ExitCode(check.level.rawValue) }
    }
}
