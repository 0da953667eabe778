import ParseModel

/// Two people at one replica, in the form of one SDK: both sign in and work offline. One of them logs out and gets another password,
/// and the remote locks the other out.
struct PeopleStory: Sendable, CustomStringConvertible {
    /// How the replica serves its users.
    enum Mode: String, Sendable, CaseIterable { case personal, site }

    let form: SDKForm
    let mode: Mode
    /// The class of the notes. The remote has one note, `first`, that everybody may read and write.
    var className = ""
    /// The suffix of the users' names.
    var suffix = ""

    static let all = [SDKForm.javaScript, .swift, .php, .python].flatMap { form in
        Mode.allCases.map { PeopleStory(form: form, mode: $0) }
    }

    var description: String { "\(form.sdk), \(mode.rawValue)" }

    func story(_ requests: [SDKRequest]) -> SDKStory {
        SDKStory(sdk: description, sources: form.sources, requests: requests)
    }

    private static let ended = SDKAnswer(400, ["code": 209, "error": "Invalid session token"])

    var signIn: [SDKRequest] {
        ["ada", "ben"].flatMap { name in
            [
                logIn(name, name, name + "Token"),
                form.request(
                    "reads the own user", "GET", "users/me", [:], "<\(name)Token>",
                    SDKAnswer(200, ["objectId": .string("<\(name)>")])),
            ]
        }
    }

    /// An app signs a user up, fetches this user and saves it, as `Parse.User.current().fetch()` of the JavaScript SDK. The SDK then goes
    /// on with the token of the latest answer.
    var newUser: [SDKRequest] {
        let own = SDKAnswer(200, ["objectId": "<cleo>", "sessionToken": "<cleoToken>"])
        // A site keeps the users, and a personal replica by default does not.
        let owner: JSONValue = mode == .site ? ["__type": "Object", "city": "Rome"] : ["objectId": "<cleo>"]
        return [
            form.request(
                "signs up", "POST", form.signUpPath,
                ["username": .string("cleo" + suffix), "password": "cleo"], nil,
                SDKAnswer(201, ["objectId": "<cleo>", "sessionToken": "<cleoToken>", "createdAt": "<date>"])),
            form.request("fetches the own user", "GET", "classes/_User/<cleo>", [:], "<cleoToken>", own),
            form.request("fetches the own user", "GET", "users/<cleo>", [:], "<cleoToken>", own),
            form.request(
                "saves the own user", "PUT", "classes/_User/<cleo>", ["city": "Rome"], "<cleoToken>",
                SDKAnswer(200, ["updatedAt": "<date>"])),
            form.request(
                "fetches the own user in a batch", "POST", "batch",
                ["requests": [["method": "GET", "path": "/parse/classes/_User/<cleo>"]]], "<cleoToken>",
                SDKAnswer(200, [["success": ["city": "Rome", "sessionToken": "<cleoToken>"]]])),
            form.request(
                "saves a note with its owner", "POST", path,
                ["text": "cleo's", "owner": ["__type": "Pointer", "className": "_User", "objectId": "<cleo>"]],
                "<cleoToken>", .created("cleos")),
            form.request(
                "finds the note with its owner", "GET", path, ["where": ["text": "cleo's"], "include": "owner"],
                "<cleoToken>", SDKAnswer(200, ["results": [["owner": owner]]])),
            form.request(
                "deletes the note", "DELETE", path + "/<cleos>", [:], "<cleoToken>", SDKAnswer(200)),
            form.request(
                "deletes the own user", "DELETE", "classes/_User/<cleo>", [:], "<cleoToken>", SDKAnswer(200)),
        ]
    }

    var reading: [SDKRequest] {
        ["ada", "ben"].map { name in
            form.request(
                "finds the note", "GET", path, ["where": ["text": "first"]], "<\(name)Token>",
                SDKAnswer(200, ["results": [["objectId": "<first>", "text": "first"]]]))
        }
    }

    var offline: [SDKRequest] {
        [
            form.request(
                "saves a private note", "POST", path, ["text": "ada's", "ACL": acl("ada")], "<adaToken>",
                .created("adas")),
            form.request(
                "saves a private note", "POST", path, ["text": "ben's", "ACL": acl("ben")], "<benToken>",
                .created("bens")),
            form.request(
                "edits the note of all", "PUT", path + "/<first>", ["text": "by ada"], "<adaToken>",
                SDKAnswer(200, ["updatedAt": "<date>"])),
            form.request(
                "fetches the own note", "GET", path + "/<adas>", [:], "<adaToken>",
                SDKAnswer(200, ["objectId": "<adas>", "text": "ada's"])),
            form.request("is not shown another's note", "GET", path + "/<adas>", [:], "<benToken>", .notFound),
            // In a site, users see the writes of others at once.
            form.request(
                "fetches the note of all", "GET", path + "/<first>", [:], "<benToken>",
                SDKAnswer(200, ["text": .string(mode == .site ? "by ada" : "first")])),
            form.request(
                "reads the own user", "GET", "users/me", [:], "<adaToken>", SDKAnswer(200, ["objectId": "<ada>"])),
            logInRequest("ada", "ada", .remoteIsAway),
            form.request("logs out", "POST", "logout", [:], "<adaToken>", SDKAnswer(200)),
            form.request("ends the session", "GET", path, ["limit": 1], "<adaToken>", Self.ended),
        ]
    }

    /// After the remote has changed Ada's password and locked Ben out.
    var afterwards: [SDKRequest] {
        let refused = SDKAnswer(404, ["code": 101, "error": "<any>"])
        return [
            form.request("tells the end of the session", "GET", path, ["limit": 1], "<benToken>", Self.ended),
            logInRequest("ben", "ben", refused),
            logInRequest("ada", "ada", refused),
            logIn("ada", "new", "adaNewToken"),
            finds("ada's", "adaNewToken"),
            form.request(
                "is not shown another's note", "GET", path, ["where": ["text": "ben's"]], "<adaNewToken>",
                SDKAnswer(200, ["results": []])),
        ]
    }

    /// After the remote has let Ben in again.
    var end: [SDKRequest] { [logIn("ben", "ben", "benNewToken"), finds("ben's", "benNewToken")] }

    private var path: String { "classes/\(className)" }

    private func acl(_ name: String) -> JSONValue { .object(["<\(name)>": ["read": true, "write": true]]) }

    private func finds(_ text: String, _ token: String) -> SDKRequest {
        form.request(
            "finds the own note", "GET", path, ["where": ["text": .string(text)]], "<\(token)>",
            SDKAnswer(200, ["results": [["text": .string(text)]]]))
    }

    private func logIn(_ name: String, _ password: String, _ token: String) -> SDKRequest {
        logInRequest(
            name, password,
            SDKAnswer(200, ["objectId": .string("<\(name)>"), "sessionToken": .string("<\(token)>")]))
    }

    private func logInRequest(_ name: String, _ password: String, _ answer: SDKAnswer) -> SDKRequest {
        form.request(
            "logs in", form.logInMethod, "login",
            ["username": .string(name + suffix), "password": .string(password)], nil, answer)
    }
}
