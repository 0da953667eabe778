import ParseModel
import Testing

@testable import Gateway

/// Rows of the version table about the gateway as a whole.
enum SystemRows {
    static let rows = [
        CompatibilityRow("credentials-that-are-no-strings", "403 403 403 403 403") { gateway in
            var answers: [String] = []
            for name in ["_SessionToken", "_MasterKey", "_InstallationId", "_ContentType"] {
                let answer = try await gateway.send("POST /classes/Note", [name: 5])
                #expect(answer.text == #"{"error":"unauthorized"}"#)
                answers.append(answer.codes)
            }
            let file: JSONObject = ["base64": 5, "_ApplicationId": .string(CompatibilityGateway.applicationId)]
            let answer = try await gateway.send("POST /files/a.txt", file, headers: ["X-Parse-Application-Id": ""])
            answers.append(answer.codes)
            return answers.joined(separator: " ")
        },
        CompatibilityRow("dots-in-batch-paths", "200") { gateway in
            let item: JSONValue = ["method": "POST", "path": "/parse/classes/../x/./../classes/Note", "body": [:]]
            let answer = try await gateway.send("POST /batch", ["requests": [item]])
            #expect(try await gateway.send("GET /classes/Note").json["results"]?.array?.count == 1)
            return answer.codes
        },
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
