import Foundation
import ParseModel
import Testing

/// How the present version of an SDK sends a request: the method, the headers, and the places of keys, tokens and parameters.
struct SDKForm: Sendable, CustomTestStringConvertible {
    let sdk: String
    /// The source files of the SDK that the form was taken from: `repository: file, file`.
    let sources: [String]
    var signUpPath = "users"
    var rolesPath = "roles"
    var logInMethod = "POST"
    /// The operation that adds an object to a relation.
    var addsToRelation: @Sendable (JSONValue) -> JSONValue = { ["__op": "AddRelation", "objects": [$0]] }
    /// Whether the body of an update has the id of the object.
    var updatesNameObject = false
    let make: @Sendable (_ method: String, _ path: String, _ data: JSONObject, _ token: String?) -> Parts
    let upload: @Sendable (_ file: Upload, _ token: String?) -> Parts

    struct Parts {
        let line: String
        let headers: [String: String]
        var body = ""
    }

    struct Upload: Sendable {
        let name: String
        let type: String
        let content: String
    }

    var testDescription: String { sdk }

    static let all = [javaScript, swift, android, flutter, dotNET, php, python]

    /// - Parameter data: the parameters of a GET, and the body of another request.
    func request(
        _ does: String, _ method: String, _ path: String, _ data: JSONObject, _ token: String?, _ answer: SDKAnswer
    ) -> SDKRequest {
        request(does, make(method, path, data, token), answer)
    }

    func request(_ does: String, _ parts: Parts, _ answer: SDKAnswer) -> SDKRequest {
        SDKRequest(does: does, line: parts.line, headers: parts.headers, body: parts.body, answer: answer)
    }
}

// MARK: SDKs that send queries as POST

extension SDKForm {
    /// Every request is a POST of plain text; keys, token and method are members of the body. Files are Base64.
    static let javaScript = SDKForm(
        sdk: "JavaScript",
        sources: [
            "parse-community/Parse-SDK-JS: src/RESTController.js, src/ParseUser.js, src/ParseObject.js, "
                + "src/ParseQuery.ts, src/ParseFile.ts"
        ],
        rolesPath: "classes/_Role",
        make: { method, path, data, token in
            plainText(path, data.adding(method == "POST" ? [:] : ["_method": .string(method)]), token)
        },
        upload: { file, token in
            plainText(
                "files/\(file.name)",
                [
                    "base64": .string(Data(file.content.utf8).base64EncodedString()),
                    "fileData": ["metadata": [:], "tags": [:]], "_ContentType": .string(file.type),
                ], token)
        })

    private static func plainText(_ path: String, _ data: JSONObject, _ token: String?) -> Parts {
        var body = data
        body["_ApplicationId"] = "app"
        body["_JavaScriptKey"] = "javascript"
        body["_ClientVersion"] = "js8.5.0"
        body["_InstallationId"] = .string("3b1f0b7e-64c6-4a3c-8a0e-2f7f3b2f2c1" + (token == nil ? "2" : "1"))
        body["_SessionToken"] = token.map(JSONValue.string)
        return Parts(
            line: "POST /parse/\(path)",
            headers: ["Content-Type": "text/plain", "User-Agent": "Parse/js8.5.0 (NodeJS 22.11.0)"],
            body: body.jsonText)
    }

    /// A GET with parameters is a POST with `_method`. Its values are texts, the condition too.
    static let android = SDKForm(
        sdk: "Android",
        sources: [
            "parse-community/Parse-SDK-Android: ParseRESTCommand.java, ParseRESTUserCommand.java, "
                + "ParseRESTObjectCommand.java, ParseRESTQueryCommand.java, ParseRESTFileCommand.java, "
                + "ParseRESTSessionCommand.java, ParseRelation.java"
        ],
        logInMethod: "GET", updatesNameObject: true,
        make: { method, path, data, token in
            var headers = androidHeaders(token)
            if method == "GET" || method == "DELETE", data.isEmpty {
                return Parts(line: "\(method) /parse/\(path)", headers: headers)
            }
            headers["Content-Type"] = "application/json"
            guard method == "GET" else {
                return Parts(line: "\(method) /parse/\(path)", headers: headers, body: data.jsonText)
            }
            var body = JSONObject()
            for (name, value) in data { body[name] = .string(value.string ?? value.jsonText) }
            body["_method"] = "GET"
            return Parts(line: "POST /parse/\(path)", headers: headers, body: body.jsonText)
        },
        upload: { file, token in
            rawUpload("/parse", file, androidHeaders(token))
        })

    private static func androidHeaders(_ token: String?) -> [String: String] {
        [
            "X-Parse-Application-Id": "app", "X-Parse-Client-Key": "client", "X-Parse-App-Build-Version": "7",
            "X-Parse-App-Display-Version": "1.3", "X-Parse-OS-Version": "15",
            "User-Agent": "Parse Android SDK API Level 35",
            "X-Parse-Installation-Id": "7f4a5c0e-6d43-4c6b-8f39-0c1b6a8f1d22",
            "X-Parse-Request-Id": UUID().uuidString.lowercased(),
        ].adding(token: token)
    }
}

// MARK: SDKs that send queries as GET

extension SDKForm {
    /// Each parameter of a query is JSON; `order` is an array. A GET has a content type, and a log-out has no body.
    static let swift = SDKForm(
        sdk: "Swift",
        sources: [
            "netreconlab/Parse-Swift: Sources/ParseSwift/API/API.swift, API+Command.swift, Objects/ParseUser.swift, "
                + "Types/Query.swift, Types/ParseOperation.swift, Types/ParseFile.swift"
        ],
        make: { method, path, data, token in
            let headers = swiftHeaders(token, isWrite: method == "POST" || method == "PUT")
            guard method == "GET" else {
                return Parts(
                    line: "\(method) /parse/\(path)", headers: headers, body: data.isEmpty ? "" : data.jsonText)
            }
            var parameters = data
            if data["where"] != nil {
                if data["limit"] == nil { parameters["limit"] = 100 }
                parameters["skip"] = 0
                for name in ["order", "include"] {
                    guard let words = data[name]?.string?.split(separator: ",") else { continue }
                    parameters[name] = .array(words.map { .string(String($0)) })
                }
                if data["count"] != nil { parameters["count"] = true }
            }
            let query = QueryEscaping.foundation.query(parameters.map { ($0.key, $0.value.jsonText) })
            return Parts(line: "GET /parse/\(path)" + (query.isEmpty ? "" : "?\(query)"), headers: headers)
        },
        upload: { file, token in rawUpload("/parse", file, swiftHeaders(token, isWrite: true)) })

    private static func swiftHeaders(_ token: String?, isWrite: Bool) -> [String: String] {
        var headers = [
            "X-Parse-Application-Id": "app", "X-Parse-Client-Key": "client", "X-Parse-Client-Version": "swift5.11.3",
            "X-Parse-Installation-Id": "e3c0a1de-4f0b-4c6f-9a57-0f6a3d1b2c44", "Content-Type": "application/json",
        ]
        if isWrite { headers["X-Parse-Request-Id"] = UUID().uuidString.lowercased() }
        return headers.adding(token: token)
    }

    /// Only creates and updates of objects have the content type of JSON. The SDK takes no answer to a query with members besides
    /// `results` and `count`.
    static let flutter = SDKForm(
        sdk: "Flutter",
        sources: [
            "parse-community/Parse-SDK-Flutter: packages/dart/lib/src/network/parse_http_client.dart, "
                + "network/parse_query.dart, objects/parse_user.dart, objects/parse_object.dart, "
                + "objects/parse_file.dart, objects/parse_relation.dart"
        ],
        signUpPath: "classes/_User", rolesPath: "classes/_Role",
        make: { method, path, data, token in
            var headers = flutterHeaders(token)
            if path == "login" || path == "classes/_User" {
                headers["X-Parse-Revocable-Session"] = "1"
                headers["X-Parse-Installation-Id"] = "0c2c1a52-1c1a-4c1f-9d59-6f2b4f4c7f10"
            }
            let isObject = path.hasPrefix("classes/") && path != "classes/_User"
            return restParts("/parse", method, path, data, .dart, headers) {
                isObject ? "application/json; charset=utf-8" : "text/plain; charset=utf-8"
            }
        },
        upload: { file, token in rawUpload("/parse", file, flutterHeaders(token)) })

    private static func flutterHeaders(_ token: String?) -> [String: String] {
        [
            "X-Parse-Application-Id": "app", "X-Parse-Client-Key": "client",
            "User-Agent": "Flutter Parse SDK 9.6.1",
        ].adding(token: token)
    }

    /// Device information in headers, and reads that bypass caches.
    static let dotNET = SDKForm(
        sdk: ".NET",
        sources: [
            "parse-community/Parse-SDK-dotNET: Parse/Infrastructure/Execution/ParseCommandRunner.cs, "
                + "Parse/Infrastructure/Execution/UniversalWebClient.cs, "
                + "Parse/Platform/Users/ParseUserController.cs, Parse/Platform/Files/ParseFileController.cs, "
                + "Parse/Platform/Queries/ParseQuery.cs, Parse/Infrastructure/Control/ParseRelationOperation.cs"
        ],
        signUpPath: "classes/_User", rolesPath: "classes/_Role",
        make: { method, path, data, token in
            restParts("/parse", method, path, data, .dotNET, dotNETHeaders(token)) { "application/json" }
        },
        upload: { file, token in rawUpload("/parse", file, dotNETHeaders(token)) })

    private static func dotNETHeaders(_ token: String?) -> [String: String] {
        [
            "X-Parse-Application-Id": "app", "X-Parse-Windows-Key": "windows", "X-Parse-Client-Version": "5.0.1",
            "X-Parse-Installation-Id": "b0d9ee1f-4f8b-4a63-9f1e-5f0b7c0a9a55", "X-Parse-App-Build-Version": "1.0",
            "X-Parse-App-Display-Version": "1.0", "X-Parse-OS-Version": "Unix 6.1",
            "Cache-Control": "no-cache", "If-Modified-Since": "Sat, 06 Feb 2027 00:00:00 GMT",
        ].adding(token: token)
    }

    /// Sign-up and roles go to the paths of their classes. A change of a relation is a batch of both operations. An upload has no
    /// session, and a log-out has no body.
    static let php = SDKForm(
        sdk: "PHP",
        sources: [
            "parse-community/parse-php-sdk: src/Parse/ParseClient.php, ParseObject.php, ParseUser.php, ParseFile.php, "
                + "Internal/ParseRelationOperation.php"
        ],
        signUpPath: "classes/_User", rolesPath: "classes/_Role",
        addsToRelation: { member in
            [
                "__op": "Batch",
                "ops": [
                    ["__op": "AddRelation", "objects": [member]], ["__op": "RemoveRelation", "objects": []],
                ],
            ]
        },
        make: { method, path, data, token in
            restParts("/1", method, path, data, .php, phpHeaders(token)) { "application/json" }
        },
        upload: { file, _ in rawUpload("/1", file, phpHeaders(nil)) })

    private static func phpHeaders(_ token: String?) -> [String: String] {
        [
            "X-Parse-Application-Id": "app", "X-Parse-REST-API-Key": "rest", "X-Parse-Client-Version": "php1.6.0",
        ].adding(token: token)
    }

    /// Every request has the content type of JSON, and a delete has the body `{}`. The log-in has its values in the query.
    static let python = SDKForm(
        sdk: "Python",
        sources: [
            "milesrichardson/ParsePy: parse_rest/connection.py, parse_rest/user.py, parse_rest/datatypes.py, "
                + "parse_rest/query.py"
        ],
        logInMethod: "GET",
        make: { method, path, data, token in
            var headers = pythonHeaders(token)
            headers["Content-Type"] = "application/json"
            var parts = restParts("/1", method, path, data, .php, headers) { "application/json" }
            if method == "DELETE" { parts.body = "{}" }
            return parts
        },
        upload: { file, token in rawUpload("/1", file, pythonHeaders(token)) })

    private static func pythonHeaders(_ token: String?) -> [String: String] {
        [
            "X-Parse-Application-Id": "app", "X-Parse-REST-API-Key": "rest", "User-Agent": "Python-urllib/3.12",
        ].adding(token: token)
    }

    /// A request with its parameters in the query, or with a body of JSON; without parameters, it has no body.
    private static func restParts(
        _ mount: String, _ method: String, _ path: String, _ data: JSONObject, _ escaping: QueryEscaping,
        _ headers: [String: String], contentType: () -> String
    ) -> Parts {
        guard method != "GET" else {
            let query = escaping.query(data.map { ($0.key, $0.value.string ?? $0.value.jsonText) })
            return Parts(line: "GET \(mount)/\(path)" + (query.isEmpty ? "" : "?\(query)"), headers: headers)
        }
        guard !data.isEmpty else { return Parts(line: "\(method) \(mount)/\(path)", headers: headers) }
        return Parts(
            line: "\(method) \(mount)/\(path)", headers: headers.merging(["Content-Type": contentType()]) { $1 },
            body: data.jsonText)
    }

    private static func rawUpload(_ mount: String, _ file: Upload, _ headers: [String: String]) -> Parts {
        Parts(
            line: "POST \(mount)/files/\(file.name)", headers: headers.merging(["Content-Type": file.type]) { $1 },
            body: file.content)
    }
}

extension [String: String] {
    fileprivate func adding(token: String?) -> Self {
        var headers = self
        headers["X-Parse-Session-Token"] = token
        return headers
    }
}

extension JSONObject {
    fileprivate func adding(_ members: JSONObject) -> JSONObject {
        var object = self
        for (name, value) in members { object[name] = value }
        return object
    }
}
