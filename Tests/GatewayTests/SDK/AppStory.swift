import ParseModel

/// The requests of an app with one user, in the form of one SDK: the user signs up, works with notes, and logs out.
///
/// While the remote can be reached, a sync at any time gives new objects and files the remote's ids and names. Requests with the earlier
/// ones still work, and the answers have the new ones. So the expected answers name no ids after the creates.
struct AppStory {
    let form: SDKForm
    /// The class of the notes.
    let className: String
    let userName: String

    init(_ form: SDKForm, className: String, suffix: String) {
        (self.form, self.className) = (form, className)
        userName = "kiri-" + form.sdk + suffix
    }

    func story(_ requests: [SDKRequest]) -> SDKStory {
        SDKStory(sdk: "App, \(form.sdk)", sources: form.sources, requests: requests)
    }

    var signUp: [SDKRequest] {
        [
            form.request(
                "signs up", "POST", form.signUpPath, ["username": .string(userName), "password": "p w"], nil,
                SDKAnswer(201, ["objectId": "<kiri>", "sessionToken": "<firstToken>", "createdAt": "<date>"]))
        ]
    }

    var logIn: [SDKRequest] {
        [
            form.request(
                "logs in", form.logInMethod, "login", ["username": .string(userName), "password": "p w"], nil,
                SDKAnswer(
                    200,
                    [
                        "objectId": "<kiri>", "username": .string(userName), "createdAt": "<date>",
                        "sessionToken": "<token>",
                    ])),
            form.request(
                "reads the own user", "GET", "users/me", [:], "<token>",
                SDKAnswer(200, ["objectId": "<kiri>", "sessionToken": "<token>"])),
        ]
    }

    /// The texts of both notes of a turn.
    func texts(_ turn: Turn) -> [String] { ["first", "second"].map { "\($0) of \(userName) \(turn.rawValue)" } }

    enum Turn: String, CaseIterable { case online, offline }

    /// The content of the file of a turn.
    func content(_ turn: Turn) -> String { "the photo of \(userName) \(turn.rawValue)" }

    /// Saves, finds, uploads, increments, relates and deletes.
    func work(_ turn: Turn) -> [SDKRequest] {
        let (first, second, third) = ("\(turn.rawValue)First", "\(turn.rawValue)Second", "\(turn.rawValue)Third")
        let texts = texts(turn)
        let mine: JSONObject = ["text": ["$in": .array(texts.map(JSONValue.string))]]
        return [
            create(
                "saves a note", first,
                [
                    "text": .string(texts[0]), "day": Self.day, "count": 1, "tags": ["a"], "owner": Self.owner,
                    "ACL": Self.private,
                ]),
            create("saves another note", second, ["text": .string(texts[1]), "count": 5, "ACL": Self.private]),
            find(
                "finds the notes in order", ["where": .object(mine), "order": "-count,text", "limit": 10],
                [["objectId": "<any>", "text": .string(texts[1])], ["text": .string(texts[0]), "day": Self.day]]),
            form.request(
                "counts", "GET", path,
                ["where": ["text": mine["text"]!, "count": ["$gt": 1]], "limit": 0, "count": 1], "<token>",
                SDKAnswer(200, ["results": [], "count": 1], isWhole: true)),
            form.request(
                "uploads a file",
                form.upload(SDKForm.Upload(name: "photo.png", type: "image/png", content: content(turn)), "<token>"),
                SDKAnswer(201, ["name": .string("<\(turn.rawValue)Name>"), "url": .string("<\(turn.rawValue)URL>")])),
            update(
                "saves the file in a note", first,
                [
                    "photo": [
                        "__type": "File", "name": .string("<\(turn.rawValue)Name>"),
                        "url": .string("<\(turn.rawValue)URL>"),
                    ]
                ]),
            update(
                "increments and adds", first,
                [
                    "count": ["__op": "Increment", "amount": 2], "tags": ["__op": "AddUnique", "objects": ["a", "b"]],
                ], ["count": 3, "tags": ["a", "b"]]),
            update("relates", first, ["related": form.addsToRelation(pointer(second))]),
            find(
                "finds the related notes",
                ["where": ["$relatedTo": ["object": pointer(first), "key": "related"]]],
                [["objectId": "<any>", "text": .string(texts[1])]]),
            create("saves a third note", third, ["text": "third", "ACL": Self.private]),
            form.request("deletes it", "DELETE", "\(path)/<\(third)>", [:], "<token>", SDKAnswer(200)),
            form.request("fetches what is gone", "GET", "\(path)/<\(third)>", [:], "<token>", .notFound),
            form.request(
                "fetches the first note", "GET", "\(path)/<\(first)>", [:], "<token>",
                SDKAnswer(
                    200,
                    [
                        "text": .string(texts[0]), "count": 3, "tags": ["a", "b"], "day": Self.day,
                        "owner": Self.owner, "ACL": Self.private,
                        "related": ["__type": "Relation", "className": .string(className)],
                        "photo": ["__type": "File", "name": "<any>", "url": "<any>"],
                        "createdAt": "<date>", "updatedAt": "<date>",
                    ])),
        ]
    }

    var logOut: [SDKRequest] {
        [
            form.request("logs out", "POST", "logout", [:], "<token>", SDKAnswer(200)),
            form.request(
                "is refused with the ended session", "GET", path, ["where": [:], "limit": 1], "<token>",
                SDKAnswer(400, ["code": 209, "error": "<any>"])),
        ]
    }

    // MARK: Parts

    private static let day: JSONValue = ["__type": "Date", "iso": "2027-02-06T00:00:00.000Z"]
    private static let owner: JSONValue = ["__type": "Pointer", "className": "_User", "objectId": "<kiri>"]
    private static let `private`: JSONValue = ["<kiri>": ["read": true, "write": true]]

    private var path: String { "classes/\(className)" }

    private func pointer(_ name: String) -> JSONValue {
        ["__type": "Pointer", "className": .string(className), "objectId": .string("<\(name)>")]
    }

    private func create(_ does: String, _ name: String, _ fields: JSONObject) -> SDKRequest {
        form.request(does, "POST", path, fields, "<token>", .created(name))
    }

    private func update(
        _ does: String, _ name: String, _ fields: JSONObject, _ answer: JSONObject = [:]
    ) -> SDKRequest {
        var body = fields
        if form.updatesNameObject { body["objectId"] = .string("<\(name)>") }
        var members = answer
        members["updatedAt"] = "<date>"
        return form.request(
            does, "PUT", "\(path)/<\(name)>", body, "<token>", SDKAnswer(200, .object(members)))
    }

    private func find(_ does: String, _ parameters: JSONObject, _ results: [JSONValue]) -> SDKRequest {
        form.request(
            does, "GET", path, parameters, "<token>",
            SDKAnswer(200, ["results": .array(results)], isWhole: true))
    }
}
