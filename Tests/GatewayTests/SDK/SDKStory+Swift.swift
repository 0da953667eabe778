import ParseModel

extension SDKStory {
    /// Each query parameter is JSON, field names are arrays, and so is the `include` of a fetch.
    static let swift = story("Swift") { does, parameters, answer in
        let query = QueryEscaping.foundation.query(parameters.map { ($0.key, $0.value.jsonText) })
        return request(does, "GET", "/classes/Day?\(query)", nil, answer)
    }

    /// The same with `usingPostForQuery`, as in every version before 4.9.0.
    static let swiftPostingQueries = story("Swift, posting queries") { does, parameters, answer in
        var body = parameters
        body["_method"] = "GET"
        return request(does, "POST", "/classes/Day", body, answer)
    }

    private typealias Query = (_ does: String, _ parameters: JSONObject, SDKAnswer) -> SDKRequest

    private static func story(_ sdk: String, query: Query) -> SDKStory {
        SDKStory(
            sdk: sdk,
            sources: [
                "parse-community/Parse-Swift: Sources/ParseSwift/API/API.swift, Sources/ParseSwift/API/API+Command.swift, "
                    + "Sources/ParseSwift/API/API+NonParseBodyCommand.swift, Sources/ParseSwift/API/BatchUtils.swift, "
                    + "Sources/ParseSwift/Types/Query.swift, Sources/ParseSwift/Objects/ParseUser.swift"
            ], requests: writes + reads(query) + ends)
    }

    private static let writes: [SDKRequest] = [
        request("saves an object", "POST", "/classes/Country", ["name": "Peru"], .created("country")),
        request(
            "saves an object with values of many types", "POST", "/classes/Day",
            [
                "name": "Inti Raymi", "date": ["__type": "Date", "iso": "2027-06-24T00:00:00.000Z"],
                "country": ["__type": "Pointer", "className": "Country", "objectId": "<country>"],
                "place": ["__type": "GeoPoint", "latitude": -13.5, "longitude": -72], "visits": 1, "tags": ["rest"],
            ], .created("day")),
        request(
            "changes by operations", "PUT", "/classes/Day/<day>",
            [
                "visits": ["__op": "Increment", "amount": 2],
                "tags": ["__op": "AddUnique", "objects": ["rest", "sun"]], "place": ["__op": "Delete"],
            ], SDKAnswer(200, ["updatedAt": "<date>"])),
        request(
            "saves the whole object again", "PUT", "/classes/Day/<day>",
            [
                "name": "Inti Raymi'rata", "date": ["__type": "Date", "iso": "2027-06-24T00:00:00.000Z"],
                "country": ["__type": "Pointer", "className": "Country", "objectId": "<country>"], "visits": 3,
                "tags": ["rest", "sun"],
            ], SDKAnswer(200, ["updatedAt": "<date>"])),
        request(
            "fetches with include", "GET",
            "/classes/Day/<day>?" + QueryEscaping.foundation.query([("include", #"["country"]"#)]), nil,
            SDKAnswer(
                200,
                [
                    "objectId": "<day>", "name": "Inti Raymi'rata", "visits": 3, "tags": ["rest", "sun"],
                    "country": ["__type": "Object", "className": "Country", "name": "Peru", "createdAt": "<date>"],
                    "createdAt": "<date>", "updatedAt": "<date>",
                ])),
        request(
            "saves several", "POST", "/batch",
            [
                "requests": [
                    [
                        "method": "POST", "path": "/parse/classes/Day",
                        "body": ["name": "Fiestas Patrias", "visits": 5],
                    ],
                    ["method": "PUT", "path": "/parse/classes/Day/<day>", "body": ["visits": 4]],
                ], "transaction": false,
            ],
            SDKAnswer(
                200,
                [
                    ["success": ["objectId": "<other>", "createdAt": "<date>"]],
                    ["success": ["updatedAt": "<date>"]],
                ])),
        request(
            "saves several or none", "POST", "/batch",
            [
                "requests": [
                    ["method": "PUT", "path": "/parse/classes/Day/<other>", "body": ["tags": ["rest"]]],
                    ["method": "PUT", "path": "/parse/classes/Day/<day>", "body": ["tags": ["sun"]]],
                ], "transaction": true,
            ], SDKAnswer(200, [["success": ["updatedAt": "<date>"]], ["success": ["updatedAt": "<date>"]]])),
    ]

    private static func reads(_ query: Query) -> [SDKRequest] {
        [
            query(
                "finds",
                [
                    "where": ["visits": ["$gte": 4]], "limit": 2, "skip": 0, "include": ["country"],
                    "order": ["-visits", "name"], "keys": ["visits", "country"],
                ],
                SDKAnswer(
                    200,
                    [
                        "results": [
                            ["objectId": "<other>", "visits": 5, "updatedAt": "<date>"],
                            ["objectId": "<day>", "visits": 4, "country": ["name": "Peru"]],
                        ]
                    ])),
            query(
                "finds by an equal text, without a field",
                [
                    "where": ["name": ["$eq": "Inti Raymi'rata"]], "limit": 100, "skip": 0, "excludeKeys": ["tags"],
                ], SDKAnswer(200, ["results": [["objectId": "<day>"]]])),
            query(
                "counts", ["where": ["visits": ["$gt": 4]], "limit": 1, "skip": 0, "count": true],
                SDKAnswer(200, ["results": [["objectId": "<other>"]], "count": 1])),
        ]
    }

    private static let ends: [SDKRequest] = [
        request("deletes", "DELETE", "/classes/Day/<other>", nil, SDKAnswer(200)),
        request("fetches what is gone", "GET", "/classes/Day/<other>", nil, .notFound),
        request(
            "deletes several, one of them gone", "POST", "/batch",
            [
                "requests": [
                    ["method": "DELETE", "path": "/parse/classes/Day/<other>"],
                    ["method": "DELETE", "path": "/parse/classes/Day/<day>"],
                ], "transaction": false,
            ], SDKAnswer(200, [["error": ["code": 101, "error": "<any>"]], ["success": [:]]])),
        request(
            "logs in", "POST", "/login", ["username": "killa", "password": "p w"], .noUsersHere,
            offline: .remoteIsAway),
    ]

    private static func request(
        _ does: String, _ method: String, _ path: String, _ data: JSONObject?, _ answer: SDKAnswer,
        offline: SDKAnswer? = nil
    ) -> SDKRequest {
        var headers = [
            "X-Parse-Application-Id": "app", "X-Parse-Client-Key": "client", "X-Parse-Client-Version": "swift4.14.2",
            "X-Parse-Installation-Id": "9e1f60d2-18b1-4d53-a0a7-64c9d9f7c0bb", "Content-Type": "application/json",
        ]
        // A new id for each request. Some versions of the iOS SDK reuse ids and must not lose requests because of it.
        if ["POST", "PUT"].contains(method) {
            headers["X-Parse-Request-Id"] = "5a0f1c53-7f5c-4c86-9d7c-0c1c8a5b1b0e"
        }
        return SDKRequest(
            does: does, line: "\(method) /parse\(path)", headers: headers, body: data?.jsonText ?? "", answer: answer,
            answerOffline: offline)
    }
}
