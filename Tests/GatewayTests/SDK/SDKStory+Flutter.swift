import ParseModel

extension SDKStory {
    /// POSTs without a content type, which Dart's client declares as plain text, and a count that also requests the
    /// objects.
    static let flutter = SDKStory(
        sdk: "Flutter",
        sources: [
            "parse-community/Parse-SDK-Flutter: packages/dart/lib/src/network/parse_http_client.dart, "
                + "packages/dart/lib/src/network/parse_query.dart, packages/dart/lib/src/objects/parse_object.dart, "
                + "packages/dart/lib/src/objects/parse_user.dart, packages/dart/lib/src/utils/parse_utils.dart"
        ],
        requests: [
            dart("saves an object", "POST", "/classes/Country", ["name": "Kenya"], .created("country")),
            dart(
                "saves an object with values of many types", "POST", "/classes/Day",
                [
                    "name": "Jamhuri Day", "date": ["__type": "Date", "iso": "2027-12-12T00:00:00.000Z"],
                    "country": ["__type": "Pointer", "className": "Country", "objectId": "<country>"],
                    "place": ["__type": "GeoPoint", "latitude": -1.3, "longitude": 36.8], "visits": 1,
                    "tags": ["rest"], "draft": true,
                ], .created("day")),
            dart(
                "increments, adds and unsets", "PUT", "/classes/Day/<day>",
                [
                    "visits": ["__op": "Increment", "amount": 2],
                    "tags": ["__op": "AddUnique", "objects": ["rest", "parade"]], "draft": ["__op": "Delete"],
                ], SDKAnswer(200, ["updatedAt": "<date>"])),
            dart(
                "gets an object with include", "GET", "/classes/Day/<day>", query: [("include", "country")],
                SDKAnswer(
                    200,
                    [
                        "objectId": "<day>", "visits": 3, "tags": ["rest", "parade"],
                        "country": ["__type": "Object", "className": "Country", "name": "Kenya"],
                        "createdAt": "<date>", "updatedAt": "<date>",
                    ])),
            dart(
                "saves children together", "POST", "/batch",
                [
                    "requests": [
                        [
                            "method": "POST", "path": "/parse/classes/Day",
                            "body": ["name": "Mashujaa Day", "visits": 5],
                        ],
                        [
                            "method": "PUT", "path": "/parse/classes/Day/<day>",
                            "body": ["visits": ["__op": "Increment", "amount": 1]],
                        ],
                    ]
                ],
                SDKAnswer(
                    200,
                    [
                        ["success": ["objectId": "<other>", "createdAt": "<date>"]],
                        ["success": ["updatedAt": "<date>"]],
                    ])),
            dart(
                "finds", "GET", "/classes/Day",
                query: [
                    ("where", #"{"visits":{ "$gte":4, "$lt":9}}"#), ("order", "-visits"), ("limit", "2"),
                    ("include", "country"),
                ],
                SDKAnswer(
                    200,
                    [
                        "results": [
                            ["objectId": "<other>", "visits": 5],
                            ["objectId": "<day>", "visits": 4, "country": ["name": "Kenya"]],
                        ]
                    ])),
            dart(
                "finds by an equal text", "GET", "/classes/Day", query: [("where", #"{"name": "Mashujaa Day"}"#)],
                SDKAnswer(200, ["results": [["objectId": "<other>"]]])),
            dart(
                "counts", "GET", "/classes/Day", query: [("where", #"{"visits":{ "$gt":4}}"#), ("count", "1")],
                SDKAnswer(200, ["results": [["objectId": "<other>"]], "count": 1])),
            dart("deletes", "DELETE", "/classes/Day/<other>", nil, SDKAnswer(200)),
            dart("gets what is gone", "GET", "/classes/Day/<other>", nil, .notFound),
            dart(
                "logs in", "POST", "/login", ["username": "achieng", "password": "p w"],
                more: [
                    "X-Parse-Revocable-Session": "1",
                    "X-Parse-Installation-Id": "0c2c1a52-1c1a-4c1f-9d59-6f2b4f4c7f10",
                ], .noUsersHere, offline: .remoteIsAway),
        ])

    private static func dart(
        _ does: String, _ method: String, _ path: String, _ data: JSONObject? = nil,
        query: [(String, String)] = [], more: [String: String] = [:], _ answer: SDKAnswer, offline: SDKAnswer? = nil
    ) -> SDKRequest {
        var headers = [
            "X-Parse-Application-Id": "app", "X-Parse-Client-Key": "client", "User-Agent": "Flutter Parse SDK 3.1.0",
        ]
        if data != nil {
            headers["Content-Type"] = "\(method == "PUT" ? "application/json" : "text/plain"); charset=utf-8"
        }
        let query = query.isEmpty ? "" : "?" + QueryEscaping.dart.query(query)
        return SDKRequest(
            does: does, line: "\(method) /parse\(path)\(query)",
            headers: headers.merging(more) { $1 }, body: data?.jsonText ?? "", answer: answer, answerOffline: offline)
    }
}
