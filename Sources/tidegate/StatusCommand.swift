import ArgumentParser
import Gateway
import ParseModel

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Tells how a running gateway stands with its remote.",
        discussion: "Shows when it synced last, what waits to be sent, and what was refused or is in conflict.")

    @OptionGroup var options: ClientOptions

    @Flag(help: "Print the answer of GET /sync as it is, for other programs.")
    var json = false

    func run() async throws {
        let client = try options.client()
        let status = try await client.status()
        Console.say(json ? status.jsonText : SyncText.status(status, url: client.url))
    }
}
