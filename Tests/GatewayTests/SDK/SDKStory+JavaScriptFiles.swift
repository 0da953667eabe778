import ParseModel

extension SDKStory {
    /// Uploads of Buffers and streams by version 8 of the SDK: plain bytes, with keys and options in headers. The SDK names the
    /// application in `X-Parse-Application-ID`, and sends no installation and no version.
    static let javaScriptFiles = SDKStory(
        sdk: "JavaScript, files",
        sources: ["parse-community/Parse-SDK-JS: src/ParseFile.ts"],
        requests: [
            upload("uploads a Buffer", "tree%20fern.txt", [:], "a fern", uploaded("buffer")),
            upload(
                "uploads a stream with metadata and tags", "kea.png",
                [
                    "Content-Type": "image/png", "X-Parse-File-Metadata": #"{"by":"kiri"}"#,
                    "X-Parse-File-Tags": #"{"bird":"kea"}"#,
                ], "a kea", uploaded("stream")),
            upload(
                "refuses a directory without the master key", "kea.png", ["X-Parse-File-Directory": "birds"], "a kea",
                SDKAnswer(400, ["code": 119, "error": "<any>"])),
            upload(
                "refuses another limit without the master key", "kea.png", ["X-Parse-File-Max-Upload-Size": "50mb"],
                "a kea", SDKAnswer(403, ["error": "<any>"])),
            upload(
                "refuses metadata that are no object", "kea.png", ["X-Parse-File-Metadata": "[1]"], "a kea",
                SDKAnswer(400, ["code": 107, "error": "<any>"])),
            SDKRequest(
                does: "reads the metadata", line: "GET /parse/files/app/metadata/<stream>", headers: [:], body: "",
                answer: SDKAnswer(200, ["metadata": ["by": "kiri"], "tags": ["bird": "kea"]])),
            post("classes/Country", ["name": "New Zealand"], .created("country")),
            post("classes/Day", ["name": "Kea Day", "text": file("buffer"), "photo": file("stream")], .created("day")),
            SDKRequest(
                does: "fetches the object", line: "POST /parse/classes/Day/<day>", headers: plainText,
                body: (["_method": "GET", "_ApplicationId": "app"] as JSONObject).jsonText,
                answer: SDKAnswer(
                    200,
                    [
                        "text": ["__type": "File", "name": "<buffer>", "url": "<any>"],
                        "photo": ["__type": "File", "name": "<stream>", "url": "<any>"],
                    ])),
        ])

    private static let plainText = ["Content-Type": "text/plain", "User-Agent": "Parse/js8.5.0 (NodeJS 22.11.0)"]

    private static func uploaded(_ name: String) -> SDKAnswer {
        SDKAnswer(201, ["name": .string("<\(name)>"), "url": .string("<\(name)URL>")])
    }

    private static func file(_ name: String) -> JSONValue {
        ["__type": "File", "name": .string("<\(name)>"), "url": .string("<\(name)URL>")]
    }

    private static func upload(
        _ does: String, _ name: String, _ headers: [String: String], _ content: String, _ answer: SDKAnswer
    ) -> SDKRequest {
        let all = [
            "X-Parse-Application-ID": "app", "X-Parse-JavaScript-Key": "javascript", "X-Parse-Upload-Mode": "stream",
            "Content-Type": "application/octet-stream", "User-Agent": "Parse/js8.5.0 (NodeJS 22.11.0)",
        ].merging(headers) { $1 }
        return SDKRequest(does: does, line: "POST /parse/files/\(name)", headers: all, body: content, answer: answer)
    }

    private static func post(_ path: String, _ data: JSONObject, _ answer: SDKAnswer) -> SDKRequest {
        var body = data
        for (name, value) in [
            ("_ApplicationId", "app"), ("_JavaScriptKey", "javascript"), ("_ClientVersion", "js8.5.0"),
        ] {
            body[name] = .string(value)
        }
        return SDKRequest(
            does: "saves an object", line: "POST /parse/\(path)", headers: plainText, body: body.jsonText,
            answer: answer)
    }
}
