import ArgumentParser
import Foundation
import Gateway
import LocalStore
import Logging

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Runs a hub with sample data and a replica of it, to play with.",
        discussion: """
            The hub is a standalone gateway and plays the remote Parse Server; it is filled with holidays and \
            birthdays when it is empty. The replica keeps a copy of them and serves the page. Both need nothing but this machine.

            To see what happens when the remote goes away, run the two in two terminals and stop the first one:
              tidegate demo --only-hub
              tidegate demo --without-hub
            """)

    @Option(help: ArgumentHelp("The hub's port on 127.0.0.1.", valueName: "port"))
    var hubPort: UInt16 = 1337

    @Option(help: ArgumentHelp("The replica's port on 127.0.0.1.", valueName: "port"))
    var port: UInt16 = 1338

    @Option(
        help: ArgumentHelp(
            "Where both keep their files. Default: 'tidegate-demo' beside the data directory of 'serve'.",
            valueName: "dir"))
    var data: String?

    @Option(help: ArgumentHelp("The directory of the web page. Default: the page that came along.", valueName: "dir"))
    var web: String?

    @Option(help: ArgumentHelp("trace, debug, info, notice, warning, error or critical.", valueName: "level"))
    var logLevel = "warning"

    @Flag(help: "Run the hub alone.")
    var onlyHub = false

    @Flag(help: "Run the replica alone; the hub may come and go.")
    var withoutHub = false

    func validate() throws {
        if onlyHub, withoutHub { throw ValidationError("--only-hub and --without-hub leave nothing to run") }
        if hubPort == port { throw ValidationError("--hub-port and --port must differ") }
    }

    func run() async throws {
        Signals.outliveFailedWrites()
        let plan = try DemoPlan(self, directories: .live(environment: ProcessInfo.processInfo.environment))
        Console.startLog(level: plan.hub.logLevel)
        let logger = Logger(label: "tidegate-demo")
        var gateways: [Gateway] = []
        var lines: [String] = []
        if !withoutHub {
            try await DemoSeed.fill(plan.hub, stores: LocalStoreKind(), pictures: plan.pictures, logger: logger)
            let hub = try await Gateway(configuration: plan.hub, stores: LocalStoreKind(), logger: logger)
            gateways.append(hub)
            lines.append("The hub listens on      \(hub.url)   (its data: \(plan.hub.dataDirectory))")
        }
        if !onlyHub {
            let replica = try await Gateway(configuration: plan.replica, stores: LocalStoreKind(), logger: logger)
            gateways.append(replica)
            lines.append("The replica listens on  \(replica.url)   (its data: \(plan.replica.dataDirectory))")
            lines.append(plan.invitation(url: replica.url))
        }
        let announcement = (lines + ["Ctrl-C stops."]).joined(separator: "\n")
        try await Lifecycle.run(gateways, logger: logger) { Console.say(announcement) }
    }
}
