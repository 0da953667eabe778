import Gateway
import Logging
import RemoteService
import SyncModel

/// The configurations of the demo's two gateways.
struct DemoPlan {
    let hub: GatewayConfiguration
    let replica: GatewayConfiguration
    /// The directory of the sample pictures; nil without a web page directory.
    let pictures: String?

    /// - Throws: `ConfigurationError` for an unknown log level, and without a directory for the data.
    init(_ command: DemoCommand, directories: StandardDirectories) throws(ConfigurationError) {
        guard let base = command.data.map(directories.absolute) ?? directories.data(named: "tidegate-demo") else {
            throw ConfigurationError("--data: required, because there is no home directory for the data")
        }
        var hub = GatewayConfiguration(dataDirectory: base + "/hub")
        hub.listen = ListenAddress(host: "127.0.0.1", port: command.hubPort)
        hub.webDirectory = command.web.map(directories.absolute) ?? directories.web()
        hub.openAPIFile = directories.openAPIFile()
        guard let level = Logger.Level(rawValue: command.logLevel) else {
            throw ConfigurationError("--log-level: '\(command.logLevel)' is not a log level")
        }
        hub.logLevel = level

        var replica = hub
        replica.dataDirectory = base + "/replica"
        replica.listen = ListenAddress(host: "127.0.0.1", port: command.port)
        replica.remote = GatewayConfiguration.Remote(url: "http://127.0.0.1:\(command.hubPort)", applicationId: "demo")
        replica.classes = DemoSeed.classes.map(\.name)
        // All files are downloaded, so that the pictures stay available while the hub is stopped.
        replica.filesOfNewClasses = FileDownloads(standard: .eager)
        // A short interval shows changes of the hub while the user watches.
        replica.pullInterval = .seconds(10)
        pictures = (directories.web() ?? hub.webDirectory).map { "\($0)/demo" }
        self.hub = hub
        self.replica = replica
    }

    /// The suggestions that the demo prints after its start.
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
