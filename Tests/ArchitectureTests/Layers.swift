/// The targets from the bottom to the top, as in docs/architecture.md. A target may import targets of lower levels
/// only, so targets of one level never import each other.
enum Layers {
    static let levels: [[String]] = [
        [
            "CMicroHTTPD", "CGnuTLS", "CCurl", "CZlib", "CCrypto", "CSQLite", "CSodium", "CCrypt", "CMalloc", "CWslay",
            "CQueryMemory", "CBirthTime", "CTextSearch", "CGdkPixbuf", "CWideCharacters", "HeaderNames", "ParseModel",
        ],
        ["SyncModel", "WebSocketFrames", "Passwords"],
        ["RemoteService", "StoreService", "HTTPServer", "HTTPClient"],
        ["LocalStore", "RemoteHTTP"],
        ["ParseRemote", "DatasyncRemote"],
        ["SyncEngine", "GatewayAPI"],
        ["Gateway"],
        ["tidegate", "ThumbnailProgram", "Simulation"],
        ["SimulationProgram"],
    ]

    /// Forbidden imports of lower levels. The engine, the local API and the gateway work with every store; the engine
    /// and the local API work with every remote; the HTTP server and the HTTP client do not know the content that they
    /// transport.
    static let forbidden: [String: Set<String>] = [
        "SyncEngine": ["LocalStore", "RemoteHTTP", "HTTPServer", "HTTPClient"],
        "GatewayAPI": ["LocalStore", "RemoteHTTP", "HTTPClient"],
        "Gateway": ["LocalStore"],
        "HTTPServer": ["ParseModel"],
        "HTTPClient": ["ParseModel"],
    ]

    /// The implementations of `RemoteService`.
    static let remotes: Set<String> = ["ParseRemote", "DatasyncRemote"]
    /// The files besides the implementations themselves that may import an implementation of `RemoteService`: the
    /// factory of remotes, and the simulation, which makes its own remotes.
    static let remoteMakers: Set<String> = [
        "Sources/Gateway/Remotes/RemoteFactory.swift", "Tests/Simulation/SimulatedReplica.swift",
    ]

    /// The folders of a target from the bottom to the top.
    static let folders: [String: [String]] = [
        "GatewayAPI": [
            // Reading a request, and checking its keys.
            "Requests", "Keys", "Configuration", "Routing", "Responses", "Audit", "Metrics",
            // The readers of the change feed, and live queries.
            "Feed", "Live",
            // The interfaces to the sync engine and to the users.
            "Engine", "Users",
            // The answers to requests.
            "Includes", "Forwarding", "Files", "GlobalConfig", "Accounts", "Objects", "SignIn", "Dispatch", "Batch",
            "Sync",
            "Changes",
            "Transfer", "Schemas", "Page", "System",
            // The user of a request, and the five products.
            "Door", ".", "Compositions",
        ],
        "Gateway": [
            // The settings.
            "Errors", "Log", "Secrets", "Configuration",
            // The parts of a space (the data and the sync engine of a user or of the gateway), and its users.
            "Audit", "Files", "Sync", "Forwarding", "Sessions", "Remotes",
            // The loading of the settings.
            "Loading",
            // The spaces, and the gateways that consist of spaces.
            "Spaces", "Backup", "Client", "DemoSeed", "Doctor", "Setup", "Compositions", ".",
        ],
        "SyncEngine": [
            // The parts that all phases of a sync share, and the state that stays in memory between syncs.
            "Context", "Rows", "Relations", "Memory",
            // The phases.
            "Pull", "Audit", "Watch", "Prove", "Push", "Sweep",
            // When a sync runs, and its order.
            ".",
        ],
        "StoreService": [
            "Results", "Names", "Schemas", "Maintenance", "Files", "Accounts", "Objects", "Query", "Sync", "Decisions",
            "People", ".",
        ],
        "SyncModel": [".", "Pull", "Life", "Rules", "Events"],
        "RemoteService": ["Exchange", "Sync", "Paging", "Offers", "."],
        "ParseModel": [
            "JSON", "Errors", "Values", ".", "Principals", "Names", "Operations", "Query", "Aggregate", "Access",
            "Schema", "Interchange",
        ],
    ]

    static func level(of target: String) -> Int? { levels.firstIndex { $0.contains(target) } }
}
