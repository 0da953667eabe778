import ParseModel

extension SDKStory {
    /// Keys and device information in headers, and reads that bypass caches.
    static let dotNET = SDKStory(
        sdk: ".NET",
        sources: [
            "parse-community/Parse-SDK-dotNET: Parse/Infrastructure/Execution/ParseCommandRunner.cs, "
                + "Parse/Infrastructure/Execution/ParseCommand.cs, "
                + "Parse/Infrastructure/Execution/UniversalWebClient.cs, "
                + "Parse/Infrastructure/Utilities/WebUtilities.cs, "
                + "Parse/Platform/Objects/ParseObjectController.cs, Parse/Platform/Queries/ParseQueryController.cs, "
                + "Parse/Platform/Queries/ParseQuery.cs, Parse/Platform/Users/ParseUserController.cs"
        ],
        requests: [
            net("saves an object", "POST", "classes/Country", ["name": "Iceland"], .created("country")),
            net(
                "saves an object with values of many types", "POST", "classes/Day",
                [
                    "name": "Republic Day", "date": ["__type": "Date", "iso": "2027-06-17T00:00:00.000Z"],
                    "country": ["__type": "Pointer", "className": "Country", "objectId": "<country>"],
                    "place": ["__type": "GeoPoint", "latitude": 64.1, "longitude": -21.9], "visits": 1,
                    "tags": ["rest"], "draft": true,
                ], .created("day")),
            net(
                "increments, adds and removes a key", "PUT", "classes/Day/<day>",
                [
                    "visits": ["__op": "Increment", "amount": 2],
                    "tags": ["__op": "AddUnique", "objects": ["rest", "parade"]], "draft": ["__op": "Delete"],
                ], SDKAnswer(200, ["updatedAt": "<date>"])),
            net(
                "fetches", "GET", "classes/Day/<day>", nil,
                SDKAnswer(
                    200,
                    [
                        "objectId": "<day>", "visits": 3, "tags": ["rest", "parade"],
                        "country": ["__type": "Pointer", "className": "Country", "objectId": "<country>"],
                        "createdAt": "<date>", "updatedAt": "<date>",
                    ])),
            net(
                "saves several, each by itself", "POST", "classes/Day", ["name": "First Day of Summer", "visits": 5],
                .created("other")),
            net(
                "saves several, each by itself", "PUT", "classes/Day/<day>",
                ["visits": ["__op": "Increment", "amount": 1]], SDKAnswer(200, ["updatedAt": "<date>"])),
            net(
                "finds", "GET", "classes/Day",
                query: [
                    ("where", #"{"visits":{"$gte":4}}"#), ("order", "-visits,name"), ("limit", "2"),
                    ("include", "country"),
                ],
                SDKAnswer(
                    200,
                    [
                        "results": [
                            ["objectId": "<other>", "visits": 5],
                            ["objectId": "<day>", "visits": 4, "country": ["__type": "Object", "name": "Iceland"]],
                        ]
                    ])),
            net(
                "finds by the start of a text", "GET", "classes/Day",
                query: [("where", #"{"name":{"$regex":"^\\QFirst Day\\E"}}"#)],
                SDKAnswer(200, ["results": [["objectId": "<other>"]]])),
            net(
                "counts", "GET", "classes/Day",
                query: [("where", #"{"visits":{"$gt":4}}"#), ("limit", "0"), ("count", "1")],
                SDKAnswer(200, ["results": [], "count": 1])),
            net("deletes", "DELETE", "classes/Day/<other>", nil, SDKAnswer(200)),
            net("fetches what is gone", "GET", "classes/Day/<other>", nil, .notFound),
            net(
                "deletes several, one of them gone", "POST", "batch",
                [
                    "requests": [
                        ["method": "DELETE", "path": "/parse/classes/Day/<other>"],
                        ["method": "DELETE", "path": "/parse/classes/Day/<day>"],
                    ]
                ], SDKAnswer(200, [["error": ["code": 101, "error": "<any>"]], ["success": [:]]])),
            net(
                "logs in", "GET", "login", query: [("username", "jón"), ("password", "p w")], .noUsersHere,
                offline: .remoteIsAway),
        ])

    private static func net(
        _ does: String, _ method: String, _ path: String, _ data: JSONObject? = nil,
        query: [(String, String)] = [], _ answer: SDKAnswer, offline: SDKAnswer? = nil
    ) -> SDKRequest {
        var headers = [
            "X-Parse-Application-Id": "app", "X-Parse-Windows-Key": "windows", "X-Parse-Client-Version": "4.0.2",
            "X-Parse-Installation-Id": "b0d9ee1f-4f8b-4a63-9f1e-5f0b7c0a9a55", "X-Parse-App-Build-Version": "1.0",
            "X-Parse-App-Display-Version": "1.0", "X-Parse-OS-Version": "Unix 6.1", "X-Parse-Revocable-Session": "1",
            "Cache-Control": "no-cache", "If-Modified-Since": "Sat, 06 Feb 2027 00:00:00 GMT",
        ]
        if data != nil { headers["Content-Type"] = "application/json" }
        let query = query.isEmpty ? "" : "?" + QueryEscaping.dotNET.query(query)
        return SDKRequest(
            does: does, line: "\(method) /parse/\(path)\(query)", headers: headers, body: data?.jsonText ?? "",
            answer: answer, answerOffline: offline)
    }
}
