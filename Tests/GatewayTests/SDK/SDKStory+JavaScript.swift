import ParseModel

extension SDKStory {
    /// Every request is a POST of plain text, with method and keys as members of the body.
    static let javaScript = SDKStory(
        sdk: "JavaScript",
        sources: [
            "parse-community/Parse-SDK-JS: src/RESTController.js, src/ParseObject.js, src/ParseQuery.js, "
                + "src/ParseUser.js"
        ],
        requests: [
            js("saves an object", "POST", "classes/Country", ["name": "New Zealand"], .created("country")),
            js(
                "saves an object with values of many types", "POST", "classes/Day",
                [
                    "name": "Waitangi Day", "date": ["__type": "Date", "iso": "2027-02-06T00:00:00.000Z"],
                    "country": ["__type": "Pointer", "className": "Country", "objectId": "<country>"],
                    "place": ["__type": "GeoPoint", "latitude": -35.27, "longitude": 174.08], "visits": 1,
                    "tags": ["rest"], "draft": true,
                ], .created("day")),
            js(
                "increments, adds and unsets", "PUT", "classes/Day/<day>",
                [
                    "visits": ["__op": "Increment", "amount": 2],
                    "tags": ["__op": "AddUnique", "objects": ["rest", "summer"]], "draft": ["__op": "Delete"],
                ], SDKAnswer(200, ["updatedAt": "<date>", "visits": 3])),
            js(
                "fetches with include", "GET", "classes/Day/<day>", ["include": "country"],
                SDKAnswer(
                    200,
                    [
                        "objectId": "<day>", "visits": 3, "tags": ["rest", "summer"],
                        "date": ["__type": "Date", "iso": "2027-02-06T00:00:00.000Z"],
                        "country": ["__type": "Object", "className": "Country", "name": "New Zealand"],
                        "createdAt": "<date>", "updatedAt": "<date>",
                    ])),
            js(
                "saves several", "POST", "batch",
                [
                    "requests": [
                        [
                            "method": "POST", "body": ["name": "Anzac Day", "visits": 5],
                            "path": "/parse/classes/Day",
                        ],
                        [
                            "method": "PUT", "body": ["visits": ["__op": "Increment", "amount": 1]],
                            "path": "/parse/classes/Day/<day>",
                        ],
                    ]
                ],
                SDKAnswer(
                    200,
                    [
                        ["success": ["objectId": "<other>", "createdAt": "<date>"]],
                        ["success": ["updatedAt": "<date>"]],
                    ])),
            js(
                "finds", "GET", "classes/Day",
                ["where": ["visits": ["$gte": 4]], "include": "country", "limit": 2, "order": "-visits,name"],
                SDKAnswer(
                    200,
                    [
                        "results": [
                            ["objectId": "<other>", "visits": 5],
                            ["objectId": "<day>", "visits": 4, "country": ["name": "New Zealand"]],
                        ]
                    ])),
            js(
                "gets by id, which is a query", "GET", "classes/Day", ["where": ["objectId": "<day>"], "limit": 1],
                SDKAnswer(200, ["results": [["objectId": "<day>"]]])),
            js(
                "counts", "GET", "classes/Day", ["where": ["visits": ["$gt": 4]], "limit": 0, "count": 1],
                SDKAnswer(200, ["results": [], "count": 1])),
            js("destroys", "DELETE", "classes/Day/<other>", [:], SDKAnswer(200)),
            js("fetches what is gone", "GET", "classes/Day/<other>", [:], .notFound),
            js(
                "destroys several, one of them gone", "POST", "batch",
                [
                    "requests": [
                        ["method": "DELETE", "path": "/parse/classes/Day/<other>", "body": [:]],
                        ["method": "DELETE", "path": "/parse/classes/Day/<day>", "body": [:]],
                    ]
                ], SDKAnswer(200, [["error": ["code": 101, "error": "<any>"]], ["success": [:]]])),
            js(
                "logs in", "POST", "login", ["username": "kiri", "password": "pa"], .noUsersHere,
                offline: .remoteIsAway),
        ])

    private static func js(
        _ does: String, _ method: String, _ path: String, _ data: JSONObject, _ answer: SDKAnswer,
        offline: SDKAnswer? = nil
    ) -> SDKRequest {
        var body = data
        if method != "POST" { body["_method"] = .string(method) }
        body["_ApplicationId"] = "app"
        body["_JavaScriptKey"] = "javascript"
        body["_ClientVersion"] = "js3.4.2"
        body["_InstallationId"] = "3b1f0b7e-64c6-4a3c-8a0e-2f7f3b2f2c11"
        return SDKRequest(
            does: does, line: "POST /parse/\(path)",
            headers: ["Content-Type": "text/plain", "User-Agent": "Parse/js3.4.2 (NodeJS 18.12.1)"],
            body: body.jsonText, answer: answer, answerOffline: offline)
    }
}
