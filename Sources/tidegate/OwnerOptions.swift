import ArgumentParser
import Foundation
import Gateway
import LocalStore

/// The options that select the gateway for a command about its users.
struct OwnerOptions: ParsableArguments {
    static let explanation = """
        Works on a running gateway (--url or --data) with its master key, or on the data directory of a stopped one (--data). \
        Without --master-key and TIDEGATE_LOCAL_MASTER_KEY, the key is read from the file master-key in the data directory \
        of this machine's gateway. Passwords are read from a prompt or from standard input, one line.
        """

    @OptionGroup var gateway: ConnectionOptions

    func validate() throws {
        if gateway.sessionFile != nil {
            throw ValidationError("users and roles need the master key: leave out --session-file")
        }
    }

    /// The users and roles of the selected gateway, after a check of its master key.
    /// - Throws: `ConfigurationError`, `GatewayError` or `GatewayClientError`.
    func people() async throws -> People {
        let people: People
        switch try gateway.place() {
        case .running: people = People(try await gateway.client(.owner))
        case .stopped(let directory):
            people = People(
                try await StoppedGateway.standalone(
                    in: directory, stores: LocalStoreKind(), logger: ConnectionOptions.quietLogger
                ).client)
        }
        try await people.check()
        return people
    }

    /// Exports and removes the data of users in the selected replica.
    /// - Throws: `ConfigurationError` or `GatewayError`.
    func userData() async throws -> UserForgetting {
        switch try gateway.place() {
        case .running: UserForgetting(RunningSpaces(try await gateway.client(.owner)))
        case .stopped(let directory):
            UserForgetting(
                try StoppedSpaces(
                    directory: directory, stores: LocalStoreKind(), logger: ConnectionOptions.quietLogger))
        }
    }
}
