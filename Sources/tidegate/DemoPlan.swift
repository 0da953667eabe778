import Gateway
import Logging
import RemoteService
import SyncModel

/// How the demo's two gateways are set up.
struct DemoPlan {
    let hub: GatewayConfiguration
    let replica: GatewayConfiguration
    /// The directory of the pictures of the sample data; nil where the page's directory is missing.
    let pictures: String?

    /// - Throws: `ConfigurationError` where there is no place for the data.
    init(_ command: DemoCommand, directories: StandardDirectories) throws(ConfigurationError) {
        guard let base = command.data.map(directories.absolute) ?? directories.data(named: "tidegate-demo") else {
            throw ConfigurationError("--data: there is no home directory to put the data into: name a directory")
        }
        var hub = GatewayConfiguration(dataDirectory: base + "/hub")
        hub.listen = ListenAddress(host: "127.0.0.1", port: command.hubPort)
        hub.webDirectory = command.web.map(directories.absolute) ?? directories.web()
        hub.openAPIFile = directories.openAPIFile()
        guard let level = Logger.Level(rawValue: command.logLevel) else {
            throw ConfigurationError("--log-level: '\(command.logLevel)' is no log level")
        }
        hub.logLevel = level

        var replica = hub
        replica.dataDirectory = base + "/replica"
        replica.listen = ListenAddress(host: "127.0.0.1", port: command.port)
        replica.remote = GatewayConfiguration.Remote(url: "http://127.0.0.1:\(command.hubPort)", applicationId: "demo")
        replica.classes = DemoSeed.classes.map(\.name)
        // When the hub is switched off, the pictures stay.
        replica.filesOfNewClasses = FileDownloads(standard: .eager)
        // A change on the hub should show while a person watches.
        replica.pullInterval = .seconds(10)
        pictures = (directories.web() ?? hub.webDirectory).map { "\($0)/demo" }
        self.hub = hub
        self.replica = replica
    }

    func invitation(url: String) -> String {
        """

        Open \(url) in a browser, or try:
          curl '\(url)/classes/Holiday?limit=3'
          curl -X POST \(url)/classes/Holiday -H 'Content-Type: application/json' \\
               -d '{"name":"Picnic day","date":{"__type":"Date","iso":"2027-07-16T00:00:00.000Z"}}'
          curl -X POST '\(url)/sync?wait=true'

        """
    }
}
