/// The targets of DESIGN §4 from the bottom to the top. A target may import targets of lower levels only,
/// so those of one level never know each other.
enum Layers {
    static let levels: [[String]] = [
        ["CMicroHTTPD", "CCurl", "CZlib", "CCrypto", "CSQLite", "CMalloc", "HeaderNames", "ParseModel"],
        ["SyncModel", "HTTPServer", "HTTPClient"],
        ["RemoteService", "StoreService"],
        ["LocalStore", "ParseRemote"],
        ["SyncEngine", "GatewayAPI"],
        ["Gateway"],
        ["tidegate", "Simulation"],
        ["tidegate-sim"],
    ]

    /// Arrows that would point down and are still none of ours: the engine works with any store and any remote,
    /// the local API with any engine, and neither end of HTTP knows what is sent through it.
    static let forbidden: [String: Set<String>] = [
        "SyncEngine": ["LocalStore", "ParseRemote", "HTTPServer", "HTTPClient"],
        "GatewayAPI": ["ParseRemote", "HTTPClient"],
        "HTTPServer": ["ParseModel"],
        "HTTPClient": ["ParseModel"],
    ]

    static func level(of target: String) -> Int? { levels.firstIndex { $0.contains(target) } }
}
