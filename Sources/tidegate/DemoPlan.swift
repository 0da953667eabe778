import Gateway
import Logging
import RemoteService
import SyncModel

/// The configurations of the two gateways of the demo: the hub, which is standalone, and a replica of the hub.
struct DemoPlan {
    let hub: GatewayConfiguration
    let replica: GatewayConfiguration
    /// The directory of the sample pictures; nil if the directory of the web page is not found.
    let pictures: String?

    /// - Throws: `ConfigurationError` for an unknown log level, or if no data directory can be determined.
    init(_ command: DemoCommand, directories: StandardDirectories) throws(ConfigurationError) {
        guard let base = command.data.map(directories.absolute) ?? directories.data(named: "tidegate-demo") else {
            throw ConfigurationError("--data: required, because there is no home directory for the data")
        }
        var hub = GatewayConfiguration(dataDirectory: base + "/hub")
        hub.listen = ListenAddress(host: "127.0.0.1", port: command.hubPort)
        hub.webDirectory = command.web.map(directories.absolute) ?? directories.web()
        hub.openAPIFile = directories.openAPIFile()
        hub.thumbnailProgram = directories.thumbnailProgram()
        guard let level = Logger.Level(rawValue: command.logLevel) else {
            throw ConfigurationError("--log-level: '\(command.logLevel)' is not a log level")
        }
        hub.logLevel = level

        var replica = hub
        replica.dataDirectory = base + "/replica"
        replica.listen = ListenAddress(host: "127.0.0.1", port: command.port)
        replica.remote = GatewayConfiguration.Remote(url: "http://127.0.0.1:\(command.hubPort)", applicationId: "demo")
        replica.classes = DemoSeed.classes.map(\.name)
        // The replica downloads all files, so that pictures stay available while the hub is stopped.
        replica.filesOfNewClasses = FileDownloads(standard: .eager)
        // With a short interval, the user soon sees changes of the hub.
        replica.pullInterval = .seconds(10)
        replica.people.mode = .personal
        replica.people.sessionKeyFile = base + "/session-key"
        pictures = (directories.web() ?? hub.webDirectory).map { "\($0)/demo" }
        self.hub = hub
        self.replica = replica
    }

    /// Instructions for trying the demo, printed after its start.
    func instructions(url: String) -> String {
        """

        Open \(url) in a browser, or try:
          curl '\(url)/classes/Holiday?limit=3'
          curl -X POST \(url)/classes/Holiday -H 'Content-Type: application/json' \\
               -d '{"name":"Picnic day","date":{"__type":"Date","iso":"2027-07-16T00:00:00.000Z"}}'
          curl -X POST '\(url)/sync?wait=true'

        """
    }
}
