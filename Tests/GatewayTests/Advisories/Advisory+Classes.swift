/// Advisories about internal classes, and about other classes that a query reaches through a pointer, subquery or
/// relation.
extension Advisory {
    static let aboutClasses = [pointers, joinTables, redirections, configs]

    /// Parse Server's internal classes.
    private static let internalClasses = [
        "_Hooks", "_Audience", "_GraphQLConfig", "_PushStatus", "_JobStatus", "_JobSchedule", "_Idempotency",
        "_GlobalConfig", "_SCHEMA", "_Join:users:_Role",
    ]

    private static func pointer(_ className: String, _ id: String = "1") -> String {
        #"{"__type":"Pointer","className":"\#(className)","objectId":"\#(id)"}"#
    }

    private static let pointers = Advisory(
        "fcv6-fg5r-jm9q", "internal classes read by a pointer and include", .everywhere,
        all: (internalClasses + ["_Installation", "_Session"]).flatMap { (name: String) -> [AdvisoryProbe] in
            [
                .post("/classes/Open", #"{"list":[\#(pointer(name))],"text":"leaky"}"#)
                    .gives(201, keeps: ["objectId": "leaky"]),
                .get("/classes/Open/{leaky}?include=list").gives(200, 400, 404, hides: [#""__type":"Object""#]),
                .get("/classes/Open?include=list", where: #"{"objectId":"{leaky}"}"#)
                    .gives(200, 400, hides: [#""__type":"Object""#]),
                .get("/classes/Open?includeAll=true", where: #"{"objectId":"{leaky}"}"#)
                    .gives(200, 400, hides: [#""__type":"Object""#]),
            ]
        } + [
            .get("/sessions/me").by(.ada).gives(200, keeps: ["objectId": "adaSession"]).only(.standalone),
            .post("/classes/Open", #"{"list":[\#(pointer("_Session", "{adaSession}"))]}"#)
                .gives(201, keeps: ["objectId": "leaky"]).only(.standalone),
            .get("/classes/Open/{leaky}?include=list").gives(200, hides: ["{adaToken}", #""__type":"Object""#])
                .only(.standalone),
        ])

    private static let joinTables = Advisory(
        "5f92-jrq3-28rc", "the join tables of relations open to clients", .accounts,
        all: ["/classes/_Join:users:_Role", "/classes/_Join%3Ausers%3A_Role"].flatMap {
            (path: String) -> [AdvisoryProbe] in
            let row = #"{"relatedId":"{eve}","owningId":"{editors}"}"#
            return [
                .get(path).gives(400, code: 119).forwarded, .get(path + "/x").gives(400, code: 119).forwarded,
                .post(path, row).gives(400, code: 119).forwarded,
                .post(path, row).by(.master).gives(400, code: 119).forwarded,
                .put(path + "/x", row).gives(400, code: 119).forwarded,
                .delete(path + "/x").gives(400, code: 119).forwarded,
            ]
        } + [
            .batch("POST", "/classes/_Join:users:_Role", #"{"relatedId":"{eve}","owningId":"{editors}"}"#)
                .gives(200, shows: [#""code":119"#]),
            .put("/roles/{editors}", #"{"users":{"__op":"AddRelation","objects":[\#(pointer("_User", "{eve}"))]}}"#)
                .gives(404, code: 101).forwarded,
            .get("/classes/Edited").gives(200, shows: ["{edited}"]),
            .get("/classes/Edited").by(.rob).gives(200, shows: ["{marker}"]),
            .get(
                "/classes/Probe", where: #"{"to":{"$inQuery":{"className":"_Join:users:_Role","where":{}}}}"#
            ).gives(400, code: 119).answers(in: AdvisoryMode.replicas, 400, code: 119),
        ])

    /// Probes that query the target class of a relation by `redirectClassNameForKey`.
    private static func redirected(_ className: String, _ field: String, _ code: Int) -> [AdvisoryProbe] {
        let key = "redirectClassNameForKey"
        let path = "/classes/\(className)"
        let inner = #"{"className":"\#(className)","where":{},"\#(key)":"\#(field)"}"#
        return [
            .get("\(path)?\(key)=\(field)").by(.everybody).gives(400, code: code),
            .get("\(path)?\(key)=\(field)&count=1&limit=0").by(.everybody).gives(400, code: code),
            .get("\(path)?\(key)=\(field)&keys=params").by(.everybody).gives(400, code: code),
            .get("\(path)?\(key)=\(field)&explain=true").by(.everybody).gives(400),
            .post(path, #"{"_method":"GET","\#(key)":"\#(field)"}"#).by(.everybody).gives(400, code: code),
            .batch("GET", "\(path)?\(key)=\(field)").by(.everybody).gives(200, shows: [#""code":\#(code)"#]),
            .get("/classes/Probe", where: #"{"to":{"$inQuery":\#(inner)}}"#).by(.everybody).gives(400, code: code),
            .get("/classes/Probe", where: #"{"to":{"$notInQuery":\#(inner)}}"#).by(.everybody).gives(400, code: code),
            .get("/classes/Probe", where: #"{"n":{"$select":{"key":"n","query":\#(inner)}}}"#).by(.everybody)
                .gives(400, code: code),
            .get("/classes/Probe", where: #"{"$or":[{"n":0},{"to":{"$inQuery":\#(inner)}}]}"#).by(.everybody)
                .gives(400, code: code),
        ]
    }

    private static let redirections = Advisory(
        "6r2j-cxgf-495f", "internal classes read by the redirection of a query", .everywhere,
        all: internalClasses.flatMap { (name: String) -> [AdvisoryProbe] in
            let value = #"{"__type":"Relation","className":"\#(name)"}"#
            let adding = #"{"__op":"AddRelation","objects":[\#(pointer(name))]}"#
            return [
                .post("/classes/Open", #"{"r":\#(value)}"#).gives(400, code: 119),
                .post("/classes/Open", #"{"r":\#(adding)}"#).gives(400, code: 119),
                .post("/classes/Open", #"{"r":{"__op":"Batch","ops":[\#(adding)]}}"#).gives(400, code: 119),
                .put("/classes/Open/{open}", #"{"r":\#(adding)}"#).gives(400, code: 119),
                .put("/classes/Open/{open}", #"{"r":{"__op":"SetOnInsert","amount":\#(value)}}"#).gives(200, 400),
                .batch("POST", "/classes/Open", #"{"r":\#(value)}"#).gives(200, shows: [#""code":119"#]),
                .get("/classes/Open?redirectClassNameForKey=r").by(.everybody).gives(200, hides: ["masterKeyOnly"]),
            ]
        } + redirected("Leak", "audience", 119) + redirected("Leak", "jobs", 119) + redirected("Leak", "pushes", 119)
            + redirected("Leak", "sessions", 209) + redirected("Leak", "devices", 119)
            + (redirected("LeakOfRemote", "config", 119) + redirected("LeakOfRemote", "hooks", 119)).map {
                $0.only(.off, .personal, .site)
            })

    private static let configs = Advisory(
        "7xg7-rqf6-pw6c", "classes of the server's own data open to clients", .accounts,
        all: (internalClasses + ["_Product"]).flatMap { (name: String) -> [AdvisoryProbe] in
            let path = "/classes/\(name)"
            let subquery = #"{"className":"\#(name)","where":{}}"#
            return [
                .get(path).gives(400, code: 119).forwarded, .get(path + "/1").gives(400, code: 119).forwarded,
                .get(path + "?count=1&limit=0").gives(400, code: 119).forwarded,
                .post(path, #"{"params":{"open":2}}"#).gives(400, code: 119).forwarded,
                .put(path + "/1", #"{"params":{"open":2}}"#).gives(400, code: 119).forwarded,
                .delete(path + "/1").gives(400, code: 119).forwarded,
                .batch("GET", path).gives(200, shows: [#""code":119"#]),
                .get("/classes/Probe", where: #"{"to":{"$inQuery":\#(subquery)}}"#).gives(400, code: 119)
                    .replicas(400, code: 119),
                .get("/classes/Probe", where: #"{"n":{"$select":{"key":"params","query":\#(subquery)}}}"#)
                    .gives(400, code: 119).replicas(400, code: 119),
            ]
        } + [
            .get("/config").gives(200, shows: [#""open":1"#]).forwarded,
            .get("/config").by(.master).gives(200, shows: ["{marker}"]).forwarded,
        ])
}
