import ParseModel

/// The requests of an app with users, in the form of one SDK: two users sign up, one saves a private object and shares it with a
/// role, and the other finds and edits it.
///
/// The session tokens have names, like the ids: `<kiriToken>` is bound by the answer to the log-in.
struct SignInStory {
    let form: SDKForm

    static let all = [SDKForm.javaScript, .swift, .php, .python].map { SignInStory(form: $0).told }

    var told: SDKStory { SDKStory(sdk: form.sdk, sources: form.sources, requests: accounts + sharing + end) }

    private var accounts: [SDKRequest] {
        [
            signUp("kiri", "kowhai 7"), signUp("rua", "rimu 8"),
            form.request(
                "refuses a taken name", "POST", form.signUpPath, ["username": "rua", "password": "totara 9"], nil,
                SDKAnswer(400, ["code": 202, "error": "Account already exists for this username."])),
            form.request(
                "refuses a wrong password", form.logInMethod, "login", ["username": "kiri", "password": "rimu 8"], nil,
                SDKAnswer(404, ["code": 101, "error": "Invalid username/password."])),
            form.request(
                "logs in", form.logInMethod, "login", ["username": "kiri", "password": "kowhai 7"], nil,
                SDKAnswer(
                    200,
                    [
                        "objectId": "<kiri>", "username": "kiri", "sessionToken": "<kiriToken>",
                        "createdAt": "<date>", "updatedAt": "<date>",
                    ])),
            form.request(
                "becomes the user of a token", "GET", "users/me", [:], "<kiriToken>",
                SDKAnswer(200, ["objectId": "<kiri>", "username": "kiri", "sessionToken": "<kiriToken>"])),
        ]
    }

    private var sharing: [SDKRequest] {
        let owner: JSONValue = ["read": true, "write": true]
        return [
            form.request(
                "saves a private object", "POST", "classes/Note", ["text": "kowhai", "ACL": ["<kiri>": owner]],
                "<kiriToken>", .created("note")),
            form.request(
                "hides it from another user", "GET", "classes/Note", ["where": ["text": "kowhai"]], "<ruaFirstToken>",
                SDKAnswer(200, ["results": []])),
            form.request(
                "hides it from the public", "GET", "classes/Note/<note>", [:], nil, .notFound),
            form.request(
                "makes a role", "POST", form.rolesPath,
                [
                    "name": "editors", "ACL": ["*": ["read": true], "<kiri>": owner],
                    "users": [
                        "__op": "AddRelation",
                        "objects": [["__type": "Pointer", "className": "_User", "objectId": "<rua>"]],
                    ],
                ], "<kiriToken>", .created("role")),
            form.request(
                "shares it for reading", "PUT", "classes/Note/<note>",
                ["ACL": ["<kiri>": owner, "role:editors": ["read": true]]], "<kiriToken>",
                SDKAnswer(200, ["updatedAt": "<date>"])),
            form.request(
                "shows it to the role", "GET", "classes/Note", ["where": ["text": "kowhai"]], "<ruaFirstToken>",
                SDKAnswer(200, ["results": [["objectId": "<note>", "text": "kowhai"]]])),
            form.request(
                "refuses an edit", "PUT", "classes/Note/<note>", ["text": "rimu"], "<ruaFirstToken>", .notFound),
            form.request(
                "shares it for writing", "PUT", "classes/Note/<note>",
                ["ACL": ["<kiri>": owner, "role:editors": owner]], "<kiriToken>",
                SDKAnswer(200, ["updatedAt": "<date>"])),
            form.request(
                "takes the edit of the role", "PUT", "classes/Note/<note>", ["text": "rimu"], "<ruaFirstToken>",
                SDKAnswer(200, ["updatedAt": "<date>"])),
            form.request(
                "refuses to change another user", "PUT", "\(form.signUpPath)/<kiri>", ["nickname": "k"],
                "<ruaFirstToken>", SDKAnswer(400, ["code": 206, "error": "<any>"])),
        ]
    }

    private var end: [SDKRequest] {
        [
            form.request("logs out", "POST", "logout", [:], "<kiriToken>", SDKAnswer(200)),
            form.request(
                "refuses the ended session", "GET", "classes/Note", [:], "<kiriToken>",
                SDKAnswer(400, ["code": 209, "error": "Invalid session token"])),
            form.request(
                "leaves the other session", "GET", "users/me", [:], "<ruaFirstToken>",
                SDKAnswer(200, ["objectId": "<rua>"])),
        ]
    }

    private func signUp(_ name: String, _ password: String) -> SDKRequest {
        form.request(
            "signs up", "POST", form.signUpPath,
            ["username": .string(name), "password": .string(password), "email": .string("\(name)@example.org")], nil,
            SDKAnswer(
                201,
                [
                    "objectId": .string("<\(name)>"), "sessionToken": .string("<\(name)FirstToken>"),
                    "createdAt": "<date>",
                ]))
    }
}

/// How an SDK sends a request: its method, its headers and the places of keys, tokens and parameters.
struct SDKForm: Sendable {
    let sdk: String
    let sources: [String]
    var signUpPath = "users"
    var rolesPath = "roles"
    let logInMethod: String
    let make: @Sendable (_ method: String, _ path: String, _ data: JSONObject, _ token: String?) -> Parts

    struct Parts {
        let line: String
        let headers: [String: String]
        var body = ""
    }

    func request(
        _ does: String, _ method: String, _ path: String, _ data: JSONObject, _ token: String?, _ answer: SDKAnswer
    ) -> SDKRequest {
        let parts = make(method, path, data, token)
        return SDKRequest(does: does, line: parts.line, headers: parts.headers, body: parts.body, answer: answer)
    }

    /// Every request is a POST of plain text; keys, token and method are members of the body.
    static let javaScript = SDKForm(
        sdk: "JavaScript with users",
        sources: ["parse-community/Parse-SDK-JS: src/RESTController.js, src/ParseUser.js, src/ParseObject.js"],
        rolesPath: "classes/_Role", logInMethod: "POST"
    ) { method, path, data, token in
        var body = data
        if method != "POST" { body["_method"] = .string(method) }
        body["_ApplicationId"] = "app"
        body["_JavaScriptKey"] = "javascript"
        body["_ClientVersion"] = "js3.4.2"
        body["_InstallationId"] = .string("3b1f0b7e-64c6-4a3c-8a0e-2f7f3b2f2c1" + (token == nil ? "2" : "1"))
        body["_SessionToken"] = token.map(JSONValue.string)
        return Parts(
            line: "POST /parse/\(path)",
            headers: ["Content-Type": "text/plain", "User-Agent": "Parse/js3.4.2 (NodeJS 18.12.1)"], body: body.jsonText
        )
    }

    /// Token and keys in headers. Each query parameter is JSON.
    static let swift = SDKForm(
        sdk: "Swift with users",
        sources: [
            "parse-community/Parse-Swift: Sources/ParseSwift/API/API.swift, Sources/ParseSwift/Objects/ParseUser.swift"
        ], logInMethod: "POST"
    ) { method, path, data, token in
        var headers = [
            "X-Parse-Application-Id": "app", "X-Parse-Client-Key": "client", "X-Parse-Client-Version": "swift4.14.2",
            "Content-Type": "application/json",
        ]
        headers["X-Parse-Session-Token"] = token
        let query = QueryEscaping.foundation.query(data.map { ($0.key, $0.value.jsonText) })
        let isRead = method == "GET"
        return Parts(
            line: "\(method) /parse/\(path)\(isRead && !data.isEmpty ? "?\(query)" : "")", headers: headers,
            body: isRead ? "" : data.jsonText)
    }

    /// Sign-up and roles go to the paths of their classes, and the log-in has its values in the query.
    static let php = SDKForm(
        sdk: "PHP with users",
        sources: [
            "parse-community/parse-php-sdk: src/Parse/ParseClient.php, src/Parse/ParseObject.php, "
                + "src/Parse/ParseUser.php"
        ], signUpPath: "classes/_User", rolesPath: "classes/_Role", logInMethod: "GET"
    ) { method, path, data, token in
        formOfRest(.php, "php1.6.0", method, path, data, token)
    }

    /// The log-in has its values in the query.
    static let python = SDKForm(
        sdk: "Python with users",
        sources: ["milesrichardson/ParsePy: parse_rest/connection.py, parse_rest/user.py, parse_rest/role.py"],
        logInMethod: "GET"
    ) { method, path, data, token in
        formOfRest(.php, nil, method, path, data, token)
    }

    private static func formOfRest(
        _ escaping: QueryEscaping, _ version: String?, _ method: String, _ path: String, _ data: JSONObject,
        _ token: String?
    ) -> Parts {
        var headers = ["X-Parse-Application-Id": "app", "X-Parse-REST-API-Key": "rest"]
        headers["X-Parse-Client-Version"] = version
        headers["X-Parse-Session-Token"] = token
        let isRead = method == "GET"
        if !isRead { headers["Content-Type"] = "application/json" }
        let query = escaping.query(data.map { ($0.key, $0.value.string ?? $0.value.jsonText) })
        return Parts(
            line: "\(method) /1/\(path)\(isRead && !data.isEmpty ? "?\(query)" : "")", headers: headers,
            body: isRead ? "" : data.jsonText)
    }
}
