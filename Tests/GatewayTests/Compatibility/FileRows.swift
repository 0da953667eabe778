import ParseModel
import Testing

@testable import Gateway

/// Rows of the version table about files.
enum FileRows {
    static let rows = [
        CompatibilityRow("refused-extensions", seven: "0 of 13", nine: "13 of 13") { gateway in
            let names = [
                "a.html", "a.HTM", "a.shtml", "a.xhtml", "a.xht", "a.svg", "a.svgz", "a.xml", "a.xsl", "a.xslt",
                "a.html.",
                "a.txt.svg..", "a.png.html",
            ]
            var refused = 0
            for name in names {
                let answer = try await gateway.send("POST /files/\(name)", content: "x")
                refused += answer.codes == "400/130" ? 1 : 0
                #expect(try await gateway.send("POST /files/\(name)", master: true, content: "x").status == 201)
            }
            return "\(refused) of \(names.count)"
        },
        CompatibilityRow(
            "refused-types", seven: "201 201 201",
            nine:
                "400/130 File upload of extension html is disabled. 400/130 File upload of extension svg is disabled. 201"
        ) { gateway in
            var answers: [String] = []
            for (name, type) in [("page", "text/html"), ("image", "image/svg+xml"), ("a.txt", "text/html")] {
                let answer = try await gateway.send(
                    "POST /files/\(name)", headers: ["Content-Type": type], content: "x")
                answers.append(answer.status == 201 ? "201" : answer.words)
            }
            return answers.joined(separator: " ")
        },
        CompatibilityRow("type-by-extension", "image/png") { gateway in
            let answer = try await gateway.send(
                "POST /files/a.png", headers: ["Content-Type": "text/plain"], content: "x")
            let name = try #require(answer.json["name"]?.string)
            return try gateway.store.objects.files.file(name, as: .master)?.contentType ?? ""
        },
        CompatibilityRow("upload-mode-stream", #"{"base64":"eA=="}"#) { gateway in
            let answer = try await gateway.send(
                "POST /files/a.txt", headers: ["X-Parse-Upload-Mode": "stream"], content: #"{"base64":"eA=="}"#)
            return try await gateway.send("GET /files/app/\(answer.json["name"]?.string ?? "")").text
        },
        CompatibilityRow("stream-too-long", "413 400/130 File size exceeds maximum allowed: 1024 bytes.") { gateway in
            let small = try CompatibilityGateway(gateway.version) { $0.fileBytesMax = 1024 }
            let content = String(repeating: "x", count: 1025)
            let stream = try await small.send(
                "POST /files/a.txt", headers: ["X-Parse-Upload-Mode": "stream"], content: content)
            return "\(try await small.send("POST /files/a.txt", content: content).codes) \(stream.words)"
        },
        CompatibilityRow("file-directory", "400/119 201") { gateway in
            let headers = ["X-Parse-File-Directory": "maps/2027"]
            let denied = try await gateway.send("POST /files/a.txt", headers: headers, content: "x")
            let answer = try await gateway.send("POST /files/a.txt", master: true, headers: headers, content: "x")
            let name = try #require(answer.json["name"]?.string)
            #expect(name.hasPrefix("maps/2027/") && name.hasSuffix("_a.txt"))
            #expect(answer.json["url"]?.string?.hasSuffix("/files/app/" + name) == true)
            #expect(try await gateway.send("GET /files/app/\(name)").text == "x")
            #expect(try await gateway.send("DELETE /files/\(name)", master: true).status == 200)
            #expect(try await gateway.send("GET /files/app/\(name)").status == 404)
            return "\(denied.codes) \(answer.codes)"
        },
        CompatibilityRow("file-directory-in-json", "201") { gateway in
            let answer = try await gateway.send(
                "POST /files/a.txt",
                ["base64": "eA==", "fileData": ["directory": "maps"], "_ApplicationId": "app"], master: true,
                headers: ["X-Parse-Application-Id": ""])
            #expect(answer.json["name"]?.string?.hasPrefix("maps/") == true, "\(answer.text)")
            return answer.codes
        },
        CompatibilityRow("file-metadata", #"{"metadata":{"by":"ada"},"tags":{"n":1}} {"metadata":{"by":"eve"}} {}"#) {
            gateway in
            let answers = [
                try await gateway.send(
                    "POST /files/a.txt",
                    headers: [
                        "X-Parse-File-Metadata": #"{"by":"ada"}"#, "X-Parse-File-Tags": #"{"n":1}"#,
                        "X-Parse-Upload-Mode": "stream",
                    ], content: "x"),
                try await gateway.send(
                    "POST /files/a.txt",
                    ["base64": "eA==", "fileData": ["metadata": ["by": "eve"], "tags": [:]], "_ApplicationId": "app"],
                    headers: ["X-Parse-Application-Id": ""]),
                try await gateway.send("POST /files/a.txt", content: "x"),
            ]
            var shown: [String] = []
            for answer in answers {
                let name = try #require(answer.json["name"]?.string, "\(answer.text)")
                shown.append(try await gateway.send("GET /files/app/metadata/\(name)").text)
            }
            #expect(try await gateway.send("GET /files/app/metadata/none.txt").text == "{}")
            return shown.joined(separator: " ")
        },
        CompatibilityRow("file-metadata-malformed", "400/107 400/107 400/107") { gateway in
            var answers: [String] = []
            for (name, value) in [("Metadata", "{"), ("Metadata", "[1]"), ("Tags", "5")] {
                let answer = try await gateway.send(
                    "POST /files/a.txt", headers: ["X-Parse-File-" + name: value], content: "x")
                answers.append(answer.codes)
            }
            return answers.joined(separator: " ")
        },
        CompatibilityRow("file-size-header", "403 400/130 400/130 201") { gateway in
            let small = try CompatibilityGateway(gateway.version) { $0.fileBytesMax = 1024 }
            let header = "X-Parse-File-Max-Upload-Size"
            let long = String(repeating: "x", count: 2048)
            let answers = [
                try await small.send("POST /files/a.txt", headers: [header: "1mb"], content: "x"),
                try await small.send("POST /files/a.txt", master: true, headers: [header: "much"], content: "x"),
                try await small.send(
                    "POST /files/a.txt", master: true, headers: [header: "1kb", "X-Parse-Upload-Mode": "stream"],
                    content: long),
                try await small.send("POST /files/a.txt", master: true, headers: [header: "2kb"], content: long),
            ]
            return answers.map(\.codes).joined(separator: " ")
        },
        CompatibilityRow("file-directory-malformed", "8 of 8") { gateway in
            let directories = [
                "/a", "a/", "a//b", "_a", "a b", "a/../b", "metadata/a", String(repeating: "a", count: 257),
            ]
            var refused = 0
            for directory in directories {
                let answer = try await gateway.send(
                    "POST /files/a.txt", master: true, headers: ["X-Parse-File-Directory": directory], content: "x")
                refused += answer.codes == "400/122" ? 1 : 0
            }
            return "\(refused) of \(directories.count)"
        },
    ]
}
