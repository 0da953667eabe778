import ParseModel

/// Rows about the gateway as a whole.
enum SystemRows {
    static let rows = [
        CompatibilityRow("server-version", seven: "7.1.0", nine: "9.10.3") {
            try await $0.send("GET /serverInfo", master: true).json["parseServerVersion"]?.string ?? ""
        }
    ]
}
