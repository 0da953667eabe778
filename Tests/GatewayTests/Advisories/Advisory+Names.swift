/// Advisories about client names and values that reach SQL, and about keys that JavaScript takes as prototypes.
extension Advisory {
    static let aboutNames = [
        prototypes, patterns, patternsOfNames, laterKeys, sortKeys, amounts, nestedAmounts, patternsOnNames, schemaKeys,
        aggregates, applicationIds,
    ]

    /// Request bodies with a key that no object may have.
    private static let prohibited = [
        #"{"__proto__":{"a":1}}"#, #"{"o":{"__proto__":{"x":1}}}"#, #"{"o":{"constructor":{"prototype":{}}}}"#,
        #"{"list":[1,{"a":[{"__proto__":1}]}]}"#, #"{"constructor":1}"#, #"{"o.__proto__.x":1}"#,
        #"{"o":{"a":1},"list":[{"__op":1,"constructor":1}]}"#, #"{"list":{"__op":"Add","objects":[{"__proto__":1}]}}"#,
    ]

    private static let prototypes = Advisory(
        "p6h4-93qp-jhcm", "prototypes changed by stored data", .everywhere,
        all: prohibited.flatMap { (body: String) -> [AdvisoryProbe] in
            [
                .post("/classes/Open", body).gives(400, code: 105),
                .put("/classes/Open/{open}", body).gives(400, code: 105),
                .batch("POST", "/classes/Open", body).gives(200, shows: [#""code":105"#]),
            ]
        } + [
            .get("/classes/Open", where: #"{"__proto__":1}"#).gives(400, code: 105),
            .put("/config", #"{"params":{"a":{"__proto__":1}}}"#).by(.master).gives(400, code: 105).forwarded,
            .get("/classes/Open/{open}").gives(200, shows: [#""o":{"c":1,"d":"x"}"#], hides: ["__proto__"]),
        ])

    private static let quoting = [
        #"A'B'; DROP TABLE x; --"#, #"^'\" OR 1=1"#, #"\\QA'B\\E"#, #"^a' OR '1'='1"#, #"^%_"#, #"^\u0000"#,
        #"^\ud800"#,
    ]

    private static let patterns = Advisory(
        "6927-3vr9-fxf2", "SQL in a pattern", .everywhere,
        all: quoting.map {
            .get("/classes/Open", where: #"{"text":{"$regex":"\#($0)"}}"#).gives(200, 400, hides: ["plain", "SQL"])
        } + [
            .get("/classes/Open", where: #"{"text":{"$regex":"x","$options":"i' OR 1=1"}}"#).gives(400, code: 102),
            .get("/classes/Open", where: #"{"text":{"$text":{"$search":{"$term":"x' OR 1=1 --"}}}}"#)
                .gives(200, 400, hides: ["plain"]),
            .get("/classes/Open/{open}").gives(200, shows: ["plain"]),
        ])

    private static let patternsOfNames = Advisory(
        "c2hr-cqg6-8j6r", "SQL in a pattern signs in", .everywhere,
        all: [
            .post("/login", #"{"username":{"$regex":"A'OR 1=1--"},"password":"x"}"#).by(.everybody)
                .gives(404, code: 101, hides: ["sessionToken"]).forwarded,
            .post("/login", #"{"username":"ada","password":{"$ne":null}}"#).by(.everybody)
                .gives(404, code: 101, hides: ["sessionToken"]).forwarded,
        ]
            + quoting.flatMap { (pattern: String) -> [AdvisoryProbe] in
                ["/users", "/roles"].map {
                    .get($0, where: #"{"\#($0 == "/users" ? "username" : "name")":{"$regex":"\#(pattern)"}}"#)
                        .by(.everybody).gives(200, 400, hides: ["{ada}", "{editors}"]).forwarded
                }
            })

    private static let laterKeys = Advisory(
        "q342-9w2p-57fp", "only the first nested value checked", .everywhere,
        all: [
            #"{"o":{"x":{"y":1},"z":{"c":[{"$bad":1}]}}}"#, #"{"list":[{"ok":{}},{"a.b":1}]}"#,
            #"{"o":{"a":1},"list":[[],[{"x":{"$y":1}}]]}"#,
        ].flatMap { (body: String) -> [AdvisoryProbe] in
            [
                .post("/classes/Open", body).gives(400, code: 121),
                .put("/classes/Open/{open}", body).gives(400, code: 121),
                .batch("POST", "/classes/Open", body).gives(200, shows: [#""code":121"#]),
            ]
        } + [
            .post("/classes/Open", #"{"o":{"x":{"y":1},"constructor":1}}"#).gives(400, code: 105),
            .put("/config", #"{"params":{"a":{"x":{}},"b.c":1}}"#).by(.master).gives(400, code: 121).forwarded,
        ])

    private static let sortKeys = Advisory(
        "qpr4-jrj4-6f27", "SQL in a sort key", .everywhere,
        all: ["a.b'--", "-a.b%22", "a.b)%20DESC", "($)", "n;--", "o.%22"].map {
            .get("/classes/Open?order=\($0)").gives(400, code: 105)
        } + [
            .post("/classes/Open", #"{"_method":"GET","order":"a.b'--"}"#).gives(400, code: 105)
        ])

    private static let amounts = Advisory(
        "q3vj-96h2-gwvg", "SQL in the amount of a nested increment", .everywhere,
        all: [#""1); DROP TABLE x; --""#, #"{"$ne":1}"#, "null", #""1""#, "[1]"].flatMap {
            (amount: String) -> [AdvisoryProbe] in
            ["o.c", "n"].map {
                .put("/classes/Open/{open}", #"{"\#($0)":{"__op":"Increment","amount":\#(amount)}}"#)
                    .gives(400, code: 107)
            }
        } + [.get("/classes/Open/{open}").gives(200, shows: [#""o":{"c":1,"d":"x"}"#, #""n":1"#])])

    /// An increment of a field whose name contains quotes must not change other values.
    private static let nestedAmounts = Advisory(
        "gqpp-xgvh-9h7h", "SQL in the name of a nested increment", .everywhere,
        all: [
            .post("/classes/Open", #"{"n":9,"o":{"c":1,"d":"y"}}"#).gives(201, keeps: ["objectId": "counted"])
        ]
            + [#"o.c' = 1, x = '"#, #"o.a\"]"#, #"o.$[0]"#, #"o.c') --"#].flatMap { (name: String) -> [AdvisoryProbe] in
                [
                    .put("/classes/Open/{counted}", #"{"\#(name)":{"__op":"Increment","amount":1}}"#).gives(200, 400),
                    .get("/classes/Open/{counted}").gives(200, shows: [#""n":9"#, #""c":1,"d":"y""#]),
                    .get("/classes/Open/{open}").gives(200, shows: [#""o":{"c":1,"d":"x"}"#, #""n":1"#]),
                ]
            })

    private static let names = [#"a' OR 1=1 --"#, #"a.b'"#, #"a\"b"#, "a$.b", #"a\u0000b"#, "a)b"]

    private static let patternsOnNames = Advisory(
        "c442-97qw-j6c6", "SQL in the name of a field", .everywhere,
        all: names.flatMap { (name: String) -> [AdvisoryProbe] in
            [
                .get("/classes/Open", where: #"{"\#(name)":{"$regex":"x"}}"#).gives(400, hides: ["SQL"]),
                .get("/classes/Open", where: #"{"\#(name)":1}"#).gives(400, hides: ["SQL"]),
                .get("/classes/Open", where: #"{"\#(name)":{"$regex":"x"}}"#).by(.master).gives(400, hides: ["SQL"])
                    .only(.standalone, .site),
                .put("/schemas/Open", #"{"indexes":{"i":{"\#(name)":1}}}"#).by(.master).gives(400).forwarded,
            ]
        })

    private static let schemaKeys = Advisory(
        "9ccr-fpp6-78qf", "schemas changed by keys of prototypes", .accounts,
        .post("/schemas/Poison", #"{"fields":{"__proto__":{"type":"String"}}}"#).by(.master).gives(400, code: 105)
            .forwarded,
        .post("/schemas/Poison", #"{"fields":{"constructor":{"type":"String"}}}"#).by(.master).gives(400, code: 105)
            .forwarded,
        .post("/schemas/Poison", #"{"classLevelPermissions":{"__proto__":{"*":true}}}"#).by(.master).gives(400)
            .forwarded,
        .post("/schemas/Poison", #"{"classLevelPermissions":{"find":{"__proto__":true}}}"#).by(.master).gives(400)
            .forwarded,
        .get("/schemas/Closed").by(.master).gives(200, shows: [#""find":{}"#]).forwarded,
        .get("/classes/Closed").gives(400, code: 119))

    private static func aggregate(_ stages: String) -> AdvisoryRequest {
        AdvisoryProbe.post("/aggregate/Open", #"{"_method":"GET","pipeline":[\#(stages)]}"#)
    }

    private static let aggregates = Advisory(
        "p2w6-rmh7-w8q3", "SQL in the names of an aggregate", .standalone,
        all: [
            #"{"$group":{"_id":"$a'"}}"#, #"{"$group":{"_id":null,"x'":{"$sum":1}}}"#, #"{"$sort":{"a'":1}}"#,
            #"{"$match":{"a' OR 1=1":1}}"#, #"{"$project":{"a'":1}}"#, #"{"$lookup":{"from":"_User","as":"x"}}"#,
        ].flatMap { (stage: String) -> [AdvisoryProbe] in
            [
                aggregate(stage).by(.master).gives(400, hides: ["SQL", "sqlite"]),
                aggregate(stage).gives(403),
            ]
        }
            + ["a'", "a%22b", "a$.b", "a)b"].map {
                .get("/aggregate/Open?distinct=\($0)").by(.master).gives(400, hides: ["SQL", "sqlite"])
            })

    private static let applicationIds = Advisory(
        "3v4q-4q9g-x83q", "the application id is a name of JavaScript", .standalone,
        all: ["__proto__", "constructor", "toString", "hasOwnProperty", ""].flatMap {
            (name: String) -> [AdvisoryProbe] in
            [
                .get("/classes/Open").with(["X-Parse-Application-Id": name]).to(.withApplicationId).gives(401, 403),
                .get("/files/\(name)/x").to(.withApplicationId).gives(400, 403, 404),
                .post("/classes/Open", #"{"_method":"GET","_ApplicationId":"\#(name)"}"#).to(.withApplicationId)
                    .gives(401, 403),
            ]
        } + [
            .get("/classes/Open").with(["X-Parse-Application-Id": "app"]).to(.withApplicationId)
                .gives(200, shows: ["plain"])
        ])
}
