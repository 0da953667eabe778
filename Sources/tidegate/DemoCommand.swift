import ArgumentParser
import Foundation
import Gateway
import LocalStore
import Logging

/// `tidegate demo`: runs a hub (a standalone gateway) with sample data, and a replica of the hub.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Runs a hub with sample data, and a replica of it.",
        discussion: """
            The hub is a standalone gateway in the role of the remote Parse Server. An empty hub is filled with sample \
            holidays and birthdays. The replica keeps a copy of them and serves the web page. Both run on this machine alone.

            To try the replica offline, run the two in two terminals and stop the first one:
              tidegate demo --only-hub
              tidegate demo --without-hub
            """)

    @Option(help: ArgumentHelp("The hub's port on 127.0.0.1.", valueName: "port"))
    var hubPort: UInt16 = 1337

    @Option(help: ArgumentHelp("The replica's port on 127.0.0.1.", valueName: "port"))
    var port: UInt16 = 1338

    @Option(
        help: ArgumentHelp(
            "The directory for the files of both. Default: 'tidegate-demo' beside the data directory of 'serve'.",
            valueName: "dir"))
    var data: String?

    @Option(help: ArgumentHelp("The directory of the web page. Default: the installed page.", valueName: "dir"))
    var web: String?

    @Option(
        help: ArgumentHelp("The log level: trace, debug, info, notice, warning, error or critical.", valueName: "level")
    )
    var logLevel = "warning"

    @Flag(help: "Run only the hub.")
    var onlyHub = false

    @Flag(help: "Run only the replica. The hub can start and stop at any time.")
    var withoutHub = false

    func validate() throws {
        if onlyHub, withoutHub {
            throw ValidationError("--only-hub and --without-hub cannot be combined: nothing would run")
        }
        if hubPort == port { throw ValidationError("--hub-port and --port must differ") }
    }

    func run() async throws {
        Signals.ignoreFailedWriteSignals()
        let plan = try DemoPlan(self, directories: .live(environment: ProcessInfo.processInfo.environment))
        let programLog = ProgramLog(plan.hub)
        programLog.start()
        let log = programLog.recent
        let logger = Logger(label: "tidegate-demo")
        var gateways: [Gateway] = []
        var lines: [String] = []
        if !withoutHub {
            try await DemoSeed.fill(plan.hub, stores: LocalStoreKind(), pictures: plan.pictures, logger: logger)
            let hub = try await Gateway(configuration: plan.hub, stores: LocalStoreKind(), logger: logger, log: log)
            gateways.append(hub)
            lines.append("The hub listens on      \(hub.url)   (data: \(plan.hub.dataDirectory))")
        }
        if !onlyHub {
            let replica = try await Gateway(
                configuration: plan.replica, stores: LocalStoreKind(), logger: logger, log: log)
            gateways.append(replica)
            lines.append("The replica listens on  \(replica.url)   (data: \(plan.replica.dataDirectory))")
            lines.append(plan.instructions(url: replica.url))
            if let link = replica.ownerLink { lines.append(OwnerLinkText.text(link) + "\n") }
        }
        let announcement = (lines + ["Press Ctrl-C to stop."]).joined(separator: "\n")
        try await Lifecycle.run(gateways, logger: logger) { Console.print(announcement) }
    }
}
