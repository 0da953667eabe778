import ArgumentParser
import Gateway
import ParseModel

/// `tidegate status`: prints the sync status of a running gateway.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows the sync status of a running gateway.",
        discussion: """
            Shows the time of the last sync, unsent changes, rejected changes and conflicts. Of a replica with users, also what \
            waits for each user, and until when each may work without the remote. That needs the gateway's master key: \
            --master-key, TIDEGATE_LOCAL_MASTER_KEY, or the file master-key in the data directory of this machine's gateway. \
            Without it, the figures are those of a request without a session: in a site of the objects that everybody may read, in a \
            personal replica of the gateway's own data.

            --check prints one line and sets an exit code for monitoring:
              0  OK
              1  needs attention: remote unreachable, sync paused, a conflict, a rejected change, a removal held back,
                 an incomplete initial sync, a class at a limit, stalled work, changes that wait for their author to log in, or
                 a failed backup
              2  sync has stopped until an operator acts: wrong keys, another kind of server at the address, or a failing disk
              3  the gateway does not respond
            """)

    @OptionGroup var options: ConnectionOptions

    @Flag(help: "Print the JSON of GET /sync, or {\"error\": …}. Of a replica with users, it has the users as `users`.")
    var json = false

    @Flag(help: "Print one line and set the exit code by the state.")
    var check = false

    func run() async throws {
        do {
            let client = try await options.runningClient(.best)
            let status = try await status(client)
            guard check else {
                Console.print(json ? status.jsonText : SyncText.status(status, url: client.url))
                return
            }
            try end(StatusCheck(status), json ? status.jsonText : nil)
        } catch let error where check && !(error is ExitCode || error is ConfigurationError) {
            try end(StatusCheck(noAnswer: "\(error)"), nil)
        } catch let error where json {
            try Console.failAsJSON(error)
        }
    }

    /// The answer of `GET /sync`. Of a replica with users, for holders of its master key, the users are added as `users`.
    private func status(_ client: GatewayClient) async throws -> JSONObject {
        var status = try await client.status()
        if status["people"] != nil, client.credentials.masterKey != nil {
            status["users"] = .array(try await client.usersOfReplica().map(JSONValue.object))
        }
        return status
    }

    private func end(_ check: StatusCheck, _ text: String?) throws {
        Console.print(text ?? check.line)
        if check.level != .ok { throw ExitCode(check.level.rawValue) }
    }
}
