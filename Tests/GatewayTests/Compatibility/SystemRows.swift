import ParseModel

/// Rows about the gateway as a whole.
enum SystemRows {
    static let rows = [
        CompatibilityRow(
            "internal-error", seven: #"500 {"code":1,"message":"Internal server error."}"#,
            nine: #"500 {"code":1,"error":"An internal server error occurred"}"#
        ) { gateway in
            _ = try await gateway.create("Note", ["n": 1])
            try await gateway.breakFile()
            let answer = try await gateway.send("GET /classes/Note")
            return "\(answer.status) \(answer.text)"
        },
        CompatibilityRow("server-version", seven: "7.1.0", nine: "9.10.3") {
            try await $0.send("GET /serverInfo", master: true).json["parseServerVersion"]?.string ?? ""
        },
    ]
}
