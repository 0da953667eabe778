import ParseModel

/// The requests of an app with users, in the form of one SDK: two users sign up, one saves a private object and shares it with a
/// role, and the other finds and edits it.
///
/// The session tokens have names, like the ids: `<kiriToken>` is bound by the answer to the log-in.
struct SignInStory {
    let form: SDKForm

    static let all = SDKForm.all.map { SignInStory(form: $0).told }

    var told: SDKStory {
        SDKStory(sdk: "\(form.sdk) with users", sources: form.sources, requests: accounts + sharing + end)
    }

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
