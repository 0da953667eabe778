import ParseModel
import Testing

/// One way to read or write an object through the API, for example `get` or an include, whose access rights are
/// tested.
struct ObjectWay: Sendable, CustomTestStringConvertible {
    typealias Caller = RightsWorld.Caller

    /// Performs the request as a caller. A way of reading returns whether the answer reveals the object, a way of
    /// writing whether the object has changed.
    let go: @Sendable (RightsWorld, Caller) async throws -> Bool
    let name: String
    /// The names of the routes that this way uses.
    let routes: [String]

    var testDescription: String { name }

    init(_ name: String, _ routes: String..., go: @escaping @Sendable (RightsWorld, Caller) async throws -> Bool) {
        (self.name, self.routes, self.go) = (name, routes, go)
    }

    /// Makes a way of reading whose answer contains the text of the object.
    private static func shows(
        _ name: String, _ route: String,
        _ answer: @escaping @Sendable (RightsWorld, Caller) async throws -> AccountClient.Answer
    ) -> ObjectWay {
        ObjectWay(name, route) { try await answer($0, $1).text.contains(RightsWorld.marker) }
    }

    /// Makes a query on the class `Probe`. It finds an object only if the caller may read the secret object, or only
    /// if the caller may not.
    private static func finds(
        _ name: String, _ conditions: JSONValue, _ className: String = "Probe", ifReadable: Bool = true
    ) -> ObjectWay {
        ObjectWay(name, "listObjects") { world, caller in
            let answer = try await world.find(caller, className, ["where": conditions])
            return answer.status == 200 && answer.results.isEmpty != ifReadable
        }
    }

    private static let inner: JSONValue = ["className": "Secret", "where": ["n": 7]]

    // MARK: Reading

    static let reads: [ObjectWay] = [
        ObjectWay("export", "exportClass") { try await $0.export($1, "/export/Secret").contains(RightsWorld.marker) },
        ObjectWay("export as a table", "exportClass") {
            try await $0.export($1, "/export/Secret?format=csv").contains(RightsWorld.marker)
        },
        shows("get", "getObject") { try await $0.send($1, "GET", "/classes/Secret/\($0.secret)") },
        shows("get with keys", "getObject") {
            try await $0.send($1, "GET", "/classes/Secret/\($0.secret)?keys=text")
        },
        ObjectWay("fields in use", "listObjects") {
            try await $0.send($1, "GET", "/classes/Secret?_fields=true").text.contains(#""text":{"type""#)
        },
        shows("find", "listObjects") { try await $0.find($1, "Secret") },
        shows("find by id", "listObjects") {
            try await $0.find($1, "Secret", ["where": ["objectId": .string($0.secret)]])
        },
        shows("find by ids", "listObjects") {
            try await $0.find($1, "Secret", ["where": ["objectId": ["$in": [.string($0.secret)]]]])
        },
        shows("find by a field and order", "listObjects") {
            try await $0.find($1, "Secret", ["where": ["$or": [["n": 7], ["n": 8]]], "order": "-n", "limit": 1])
        },
        shows("find by POST", "createObject") { try await $0.send($1, "POST", "/classes/Secret", ["_method": "GET"]) },
        shows("include in a list", "listObjects") { try await $0.find($1, "Probe", ["include": "to"]) },
        shows("include in an array", "listObjects") { try await $0.find($1, "Probe", ["include": "list"]) },
        shows("include all", "listObjects") { try await $0.find($1, "Probe", ["includeAll": true]) },
        shows("include in a get", "getObject") {
            try await $0.send($1, "GET", "/classes/Probe/\($0.probe)?include=to")
        },
        shows("members of a relation", "listObjects") {
            let members: JSONValue = ["$relatedTo": ["object": $0.pointer("Team", $0.team), "key": "secrets"]]
            return try await $0.find($1, "Secret", ["where": members])
        },
        shows("members by redirection", "listObjects") {
            let members: JSONValue = ["$relatedTo": ["object": $0.pointer("Team", $0.team), "key": "secrets"]]
            return try await $0.find($1, "Team", ["where": members, "redirectClassNameForKey": "secrets"])
        },
        shows("change feed", "listChanges") { try await $0.send($1, "GET", "/changes?since=0&classes=Secret") },
        ObjectWay("event stream", "listChanges") { try await $0.events($1).contains(RightsWorld.marker) },
        ObjectWay("live query") { try await $0.liveEventShowsSecret($1) },
        shows("batch", "batch") { world, caller in
            try await world.send(
                caller, "POST", "/batch",
                ["requests": [["method": "GET", "path": .string("/classes/Secret/\(world.secret)")]]])
        },
        ObjectWay("count", "listObjects") {
            try await $0.find($1, "Secret", ["count": 1, "limit": 0]).json["count"] == 1
        },
        ObjectWay("count with a list", "listObjects") {
            try await $0.find($1, "Secret", ["count": 1]).json["count"] == 1
        },
        ObjectWay("owner of a relation", "listObjects") {
            let members: JSONValue = ["$relatedTo": ["object": $0.pointer("Secret", $0.secret), "key": "members"]]
            return try await !$0.find($1, "Member", ["where": members]).results.isEmpty
        },
        ObjectWay("owners of a member", "listObjects") {
            try await !$0.find($1, "Secret", ["where": ["members": $0.pointer("Member", $0.member)], "keys": "n"])
                .results
                .isEmpty
        },
        finds("$inQuery", ["to": ["$inQuery": inner]]),
        finds("$inQuery in an array", ["list": ["$inQuery": inner]]),
        finds("$inQuery in $or", ["$or": [["n": 0], ["to": ["$inQuery": inner]]]]),
        finds(
            "$inQuery in $inQuery",
            ["to": ["$inQuery": ["className": "Secret", "where": ["n": ["$select": ["key": "n", "query": inner]]]]]]),
        finds("$notInQuery", ["to": ["$notInQuery": inner]], ifReadable: false),
        finds("$select", ["n": ["$select": ["key": "n", "query": inner]]]),
        finds("$dontSelect", ["n": ["$dontSelect": ["key": "n", "query": inner]]], ifReadable: false),
    ]

    /// Ways of reading that need the master key.
    static let readsOfMaster: [ObjectWay] = [
        shows("aggregate", "aggregate") {
            try await $0.send($1, "GET", "/aggregate/Secret?%24match=%7B%22n%22%3A7%7D")
        },
        shows("distinct", "aggregate") { try await $0.send($1, "GET", "/aggregate/Secret?distinct=text") },
    ]

    /// Requests whose answers never show the object.
    static let mute: [ObjectWay] = [
        shows("explain", "listObjects") { try await $0.find($1, "Secret", ["explain": true]) },
        shows("a create with the same id", "createObject") {
            try await $0.send($1, "POST", "/classes/Secret", ["objectId": .string($0.secret)])
        },
        shows("pending changes", "listPending") { try await $0.send($1, "GET", "/sync/pending") },
        shows("conflicts", "listConflicts") { try await $0.send($1, "GET", "/sync/conflicts") },
        shows("rejections", "listRejections") { try await $0.send($1, "GET", "/sync/rejections") },
        shows("removals", "listRemovals") { try await $0.send($1, "GET", "/sync/removals") },
        shows("status", "getSyncStatus") { try await $0.send($1, "GET", "/sync") },
        shows("schemas", "listSchemas") { try await $0.send($1, "GET", "/schemas") },
    ]

    // MARK: Writing

    private static func updates(
        _ name: String, _ route: String,
        _ send: @escaping @Sendable (RightsWorld, Caller) async throws -> AccountClient.Answer
    ) -> ObjectWay {
        ObjectWay(name, route) { world, caller in
            _ = try await send(world, caller)
            return try await world.stored()?["n"] != 7
        }
    }

    private static func batch(_ world: RightsWorld, _ method: String, _ body: JSONObject = [:]) -> JSONValue {
        [["method": .string(method), "path": .string("/classes/Secret/\(world.secret)"), "body": .object(body)]]
    }

    static let writes: [ObjectWay] = [
        updates("update", "updateObject") { try await $0.send($1, "PUT", "/classes/Secret/\($0.secret)", ["n": 8]) },
        updates("increment", "updateObject") {
            try await $0.send($1, "PUT", "/classes/Secret/\($0.secret)", ["n": ["__op": "Increment", "amount": 1]])
        },
        updates("delete", "deleteObject") { try await $0.send($1, "DELETE", "/classes/Secret/\($0.secret)") },
        updates("update by POST", "createObject") {
            try await $0.send($1, "POST", "/classes/Secret/\($0.secret)", ["_method": "PUT", "n": 8])
        },
        updates("batch update", "batch") {
            try await $0.send($1, "POST", "/batch", ["requests": batch($0, "PUT", ["n": 8])])
        },
        updates("batch delete", "batch") { try await $0.send($1, "POST", "/batch", ["requests": batch($0, "DELETE")]) },
        updates("transaction", "batch") {
            try await $0.send($1, "POST", "/batch", ["transaction": true, "requests": batch($0, "PUT", ["n": 8])])
        },
        updates("import", "importClass") {
            try await $0.send($1, "POST", "/import/Secret", ["objectId": .string($0.secret), "n": 8])
        },
        updates("update of any state", "updateObject") {
            try await $0.send(
                $1, "PUT", "/classes/Secret/\($0.secret)", ["n": 8], headers: ["If-Match": "*"])
        },
    ]
}
