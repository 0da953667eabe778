import ParseModel

extension SDKStory {
    /// Keys in headers, form-encoded queries, escaped slashes and non-ASCII characters, and `[]` for an empty object.
    static let php = SDKStory(
        sdk: "PHP",
        sources: [
            "parse-community/parse-php-sdk: src/Parse/ParseClient.php, src/Parse/ParseObject.php, "
                + "src/Parse/ParseQuery.php, src/Parse/ParseUser.php"
        ],
        requests: [
            phpRequest("saves an object", "POST", "classes/Country", ["name": "Österreich"], .created("country")),
            phpRequest(
                "saves an object with values of many types", "POST", "classes/Day",
                [
                    "name": "Tag der Fahne / 26. Oktober",
                    "date": ["__type": "Date", "iso": "2027-10-26T00:00:00.000Z"],
                    "country": ["__type": "Pointer", "className": "Country", "objectId": "<country>"],
                    "place": ["__type": "GeoPoint", "latitude": 48.2, "longitude": 16.4], "visits": 1,
                    "tags": ["rest"], "draft": true,
                ], .created("day")),
            phpRequest(
                "increments, adds and deletes a key", "PUT", "classes/Day/<day>",
                [
                    "visits": ["__op": "Increment", "amount": 2], "tags": ["__op": "Add", "objects": ["flag"]],
                    "draft": ["__op": "Delete"],
                ], SDKAnswer(200, ["updatedAt": "<date>"])),
            phpRequest(
                "fetches with include", "GET", "classes/Day/<day>", query: [("include", "country")],
                SDKAnswer(
                    200,
                    [
                        "objectId": "<day>", "name": "Tag der Fahne / 26. Oktober", "visits": 3,
                        "tags": ["rest", "flag"], "country": ["__type": "Object", "name": "Österreich"],
                        "createdAt": "<date>", "updatedAt": "<date>",
                    ])),
            phpRequest(
                "saves several, some of them empty", "POST", "batch",
                [
                    "requests": [
                        ["method": "POST", "path": "/1/classes/Day", "body": ["name": "1. Mai", "visits": 5]],
                        [
                            "method": "PUT", "path": "/1/classes/Day/<day>",
                            "body": ["visits": ["__op": "Increment", "amount": 1]],
                        ],
                        ["method": "POST", "path": "/1/classes/Day", "body": []],
                    ]
                ],
                SDKAnswer(
                    200,
                    [
                        ["success": ["objectId": "<other>", "createdAt": "<date>"]],
                        ["success": ["updatedAt": "<date>"]],
                        ["success": ["objectId": "<empty>", "createdAt": "<date>"]],
                    ])),
            phpRequest(
                "finds", "GET", "classes/Day",
                query: [
                    ("where", #"{"visits":{"$gte":4}}"#), ("include", "country"), ("limit", "2"),
                    ("order", "-visits,name"),
                ],
                SDKAnswer(
                    200,
                    [
                        "results": [
                            ["objectId": "<other>", "visits": 5],
                            ["objectId": "<day>", "visits": 4, "country": ["name": "Österreich"]],
                        ]
                    ])),
            phpRequest(
                "finds a text with spaces and slashes", "GET", "classes/Day",
                query: [("where", #"{"name":"Tag der Fahne \/ 26. Oktober"}"#)],
                SDKAnswer(200, ["results": [["objectId": "<day>"]]])),
            phpRequest(
                "counts", "GET", "classes/Day",
                query: [("where", #"{"visits":{"$gt":4}}"#), ("limit", "0"), ("count", "1")],
                SDKAnswer(200, ["results": [], "count": 1])),
            phpRequest("destroys", "DELETE", "classes/Day/<other>", nil, SDKAnswer(200)),
            phpRequest("fetches what is gone", "GET", "classes/Day/<other>", nil, .notFound),
            phpRequest(
                "logs in", "GET", "login", query: [("username", "sepp"), ("password", "p w")], .noUsersHere,
                offline: .remoteIsAway),
        ])

    private static func phpRequest(
        _ does: String, _ method: String, _ path: String, _ data: JSONObject? = nil,
        query: [(String, String)] = [], _ answer: SDKAnswer, offline: SDKAnswer? = nil
    ) -> SDKRequest {
        var headers = [
            "X-Parse-Application-Id": "app", "X-Parse-Client-Version": "php1.6.0", "X-Parse-REST-API-Key": "rest",
        ]
        if data != nil { headers["Content-Type"] = "application/json" }
        let query = query.isEmpty ? "" : "?" + QueryEscaping.php.query(query)
        return SDKRequest(
            does: does, line: "\(method) /1/\(path)\(query)", headers: headers,
            body: data.map { escaped($0.jsonText) } ?? "", answer: answer, answerOffline: offline)
    }

    /// The text that `json_encode` produces.
    private static func escaped(_ json: String) -> String {
        json.utf16.map { unit in
            if unit == UInt16(UInt8(ascii: "/")) { return #"\/"# }
            if unit < 128 { return String(UnicodeScalar(UInt8(unit))) }
            let digits = String(unit, radix: 16)
            return #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}
