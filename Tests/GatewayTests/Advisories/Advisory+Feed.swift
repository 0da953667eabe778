/// Advisories about live queries, applied to the change feed and its streams. The feed has no query conditions, and
/// shows only what the caller may read.
extension Advisory {
    static let aboutFeed = [
        fieldsInEvents, permissionsOfEvents, conditionsOfEvents, invalidPatternInEvents, deepConditionsOfEvents,
        slowPatternInEvents, pointerPermissions, watchedFields, sharedEvents, lostObjects, roles, sessionsInEvents,
        tokenAsOperator,
    ]

    private static let secrets = "since=0&classes=Secret"

    private static let fieldsInEvents = Advisory(
        "crrq-vr9j-fxxh", "protected fields in events", .rights,
        .stream(secrets).gives(200, shows: ["{secret}"]), .get("/changes?\(secrets)").gives(200, shows: ["{secret}"]),
        .stream(secrets).by(.everybody).gives(200, shows: ["{secret}"]))

    private static let permissionsOfEvents = Advisory(
        "7ch5-98q2-7289", "permissions of a class not applied to events", .rights,
        .stream("since=0&classes=Closed").gives(200, hides: ["{closed}"]),
        .get("/changes?since=0&classes=Closed").gives(200, hides: ["{closed}"]),
        .stream("since=0").gives(200, hides: ["{closed}"]),
        .stream("since=0&classes=Closed").by(.master).gives(200, shows: ["{closed}"]))

    private static func conditions(_ text: String) -> [AdvisoryProbe] {
        [
            .get("/changes?\(secrets)", where: text).gives(400, code: 102),
            .get("/changes?\(secrets)", where: text).with(["Accept": "text/event-stream"]).gives(400, code: 102),
            .post("/changes", #"{"_method":"GET","since":"0","classes":"Secret","where":\#(text)}"#)
                .gives(400, code: 102),
            .get("/health").gives(200),
        ]
    }

    private static let conditionsOfEvents = Advisory(
        "j7mm-f4rv-6q6q", "a protected field in the condition of a subscription", .everywhere,
        all: [#"{"text":"{marker}"}"#, #"{"text.deep":"{marker}"}"#, #"{"$or":[{"text":"{marker}"}]}"#]
            .flatMap(conditions))

    private static let invalidPatternInEvents = Advisory(
        "827p-g5x5-h86c", "an invalid pattern in a subscription ends the server", .everywhere,
        all: conditions(#"{"text":{"$regex":"["}}"#))

    private static let deepConditionsOfEvents = Advisory(
        "6qh5-m6g3-xhq6", "no limit of depth in a subscription", .everywhere,
        all: conditions(AdvisoryText.nested("$or", levels: 30)))

    private static let slowPatternInEvents = Advisory(
        "mf3j-86qx-cq5j", "a slow pattern in a subscription", .everywhere,
        all: conditions(#"{"text":{"$regex":"(a+)+$"}}"#))

    private static let pointerPermissions = Advisory(
        "fph2-r4qg-9576", "permissions by pointers not applied to events", .rights,
        .stream("since=0&classes=Owned").gives(200, hides: ["{owned}"]),
        .stream("since=0&classes=Owned").by(.everybody).gives(200, hides: ["{owned}"]),
        .stream("since=0&classes=Owned").by(.ada).gives(200, shows: ["{owned}", "{marker}"]))

    private static let watchedFields = Advisory(
        "qpc3-fg4j-8hgm", "changes of a protected field watched", .everywhere,
        .get("/changes?\(secrets)&watch=text").gives(400, code: 102),
        .stream("\(secrets)&watch=text").gives(400, code: 102),
        .put("/classes/Secret/{secret}", #"{"text":"{marker} n3w"}"#).by(.master).gives(200).only(.standalone, .site),
        .stream(secrets).gives(200, shows: ["{secret}"], hides: ["n3w"]).only(.standalone, .site))

    private static let sharedEvents = Advisory(
        "m983-v2ff-wq65", "the filter of one reader changes the object of the others", .rights,
        .stream(secrets).by(.master).gives(200, shows: ["{marker}"]),
        .stream(secrets).gives(200, shows: ["{secret}"]),
        .stream(secrets).by(.master).gives(200, shows: ["{marker}"]),
        .stream(secrets).by(.everybody).gives(200, shows: ["{secret}"]))

    private static let lostObjects = Advisory(
        "97pr-9hgg-3p8r", "the state that a reader has lost the right to see", .rights,
        .post("/classes/Open", #"{"text":"first","ACL":{"*":{"read":true}}}"#).by(.master)
            .gives(201, keeps: ["objectId": "moved"]),
        .stream("since=0&classes=Open").gives(200, shows: ["{moved}", "first"]),
        .put("/classes/Open/{moved}", #"{"text":"n3w","ACL":{}}"#).by(.master).gives(200),
        .stream("since=0&classes=Open").gives(200, hides: ["n3w"]),
        .get("/changes?since=0&classes=Open").gives(200, hides: ["n3w"]),
        .put("/classes/Open/{moved}", #"{"ACL":{"*":{"read":true}}}"#).by(.master).gives(200),
        .stream("since=0&classes=Open").gives(200, shows: ["{moved}", "n3w"]))

    private static let roles = Advisory(
        "9jpp-xhh6-75mf", "protected fields decided without the roles of the reader", .rights,
        .stream("since=0&classes=Edited").gives(200, shows: ["{edited}"]),
        .stream("since=0&classes=Edited").by(.everybody).gives(200, shows: ["{edited}"]),
        .get("/changes?since=0&classes=Edited").by(.rob).gives(200, shows: ["{marker}"]),
        .get("/changes?since=0&classes=Edited").by(.nina).gives(200, shows: ["{marker}"]),
        // In a site replica, the remote has not confirmed Rob's role yet.
        .stream("since=0&classes=Edited").by(.rob).gives(200, shows: ["{marker}"]).only(.standalone),
        .stream("since=0&classes=Edited").by(.nina).gives(200, shows: ["{marker}"]).only(.standalone))

    private static let sessionsInEvents = Advisory(
        "2xm2-xj2q-qgpj", "sessions in events", .standalone,
        all: [AdvisoryRequest.Caller.eve, .everybody].flatMap { caller -> [AdvisoryProbe] in
            ["_Session", "_User", "_Installation"].flatMap { (name: String) -> [AdvisoryProbe] in
                ["since=0&classes=\(name)", "since=0"].flatMap { (query: String) -> [AdvisoryProbe] in
                    let hidden = ["{adaToken}", "ada@example.org", "sessionToken"]
                    return [
                        .stream(query).by(caller).gives(200, hides: hidden),
                        .get("/changes?\(query)").by(caller).gives(200, hides: hidden),
                    ]
                }
            }
        })

    private static let tokenAsOperator = Advisory(
        "fjxm-vhvc-gcmj", "an operator in the place of the token of a subscription", .standalone,
        all: [#"{"$ne":null}"#, #"{"$exists":true}"#, #"["{adaToken}"]"#, "5", "true"].flatMap {
            (token: String) -> [AdvisoryProbe] in
            [
                .post("/changes", #"{"_method":"GET","since":"0","classes":"Owned","_SessionToken":\#(token)}"#)
                    .by(.everybody).gives(200, 400, 403, hides: ["{owned}"]),
                .post("/users/me", #"{"_method":"GET","_SessionToken":\#(token)}"#).by(.everybody)
                    .gives(403, shows: ["unauthorized"]),
                .post("/sessions", #"{"_method":"GET","_SessionToken":\#(token)}"#).by(.everybody)
                    .gives(403, shows: ["unauthorized"]),
            ]
        })
}
