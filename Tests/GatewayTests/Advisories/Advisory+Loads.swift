/// Advisories about requests that take long or are nested without limit. The gateway refuses them by its bounds before
/// it works on them.
extension Advisory {
    static let aboutLoads = [
        invalidPatterns, deepRequests, deepOperators, doubledOperators, nestedOperators, branches, slowPatterns,
        patternsAtOnce, clientVersions,
    ]

    private static let invalidPatterns = Advisory(
        "9cp7-3q5w-j92g", "an invalid pattern shows an error of the database", .everywhere,
        all: ["/classes/Secret", "/classes/Open"].flatMap { (path: String) -> [AdvisoryProbe] in
            ["[abc", "(", "*", "a{2,1}", "(?<n", "\\\\"].map {
                .get(path, where: #"{"n":{"$regex":"\#($0)"}}"#)
                    .gives(400, code: 102, hides: ["SQL", "sqlite", "regexp"])
            }
                + [#"{"$ne":1}"#, "5", "[]"].map {
                    .get(path, where: #"{"n":{"$regex":\#($0)}}"#).gives(400, hides: ["SQL", "sqlite"])
                }
        }
            + ["/users", "/roles", "/sessions"].flatMap { (path: String) -> [AdvisoryProbe] in
                ["[abc", "("].map {
                    .get(path, where: #"{"name":{"$regex":"\#($0)"}}"#).gives(400, code: 102, hides: ["SQL", "sqlite"])
                        .forwarded
                }
            })

    /// One bound limits the levels of subqueries and of `$or` and `$and` together.
    private static let deepRequests = Advisory(
        "cmj3-wx7h-ffvg", "no limit for includes, subqueries and conditions", .everywhere,
        .get("/classes/Open?include=" + Array(repeating: "a", count: 33).joined(separator: ".")).gives(400),
        .get("/classes/Open?include=" + (0...1000).map { "a\($0)" }.joined(separator: ",")).gives(400),
        .get("/classes/Open", where: AdvisoryText.subqueries(levels: 17)).gives(400, code: 102),
        .get("/classes/Open", where: AdvisoryText.nested("$or", levels: 17)).gives(400, code: 102),
        .post(
            "/classes/Open",
            #"{"_method":"GET","where":{"$or":[\#(Array(repeating: #"{"n":1}"#, count: 10_000).joined(separator: ","))]}}"#
        ).gives(400, code: 102),
        .post("/classes/Open", #"{"_method":"GET","where":\#(AdvisoryText.subqueries(levels: 17))}"#)
            .gives(400, code: 102))

    private static let deepOperators = Advisory(
        "9xp9-j92r-p88v", "deep operators overflow the stack", .everywhere,
        .get("/classes/Open", where: AdvisoryText.nested("$or", levels: 100)).gives(400),
        .get("/classes/Open", where: AdvisoryText.nested("$nor", levels: 100)).gives(400),
        .get("/classes/Open", where: AdvisoryText.nested("$and", levels: 100)).gives(400),
        .post("/classes/Open", #"{"_method":"GET","where":\#(AdvisoryText.nested("$or", levels: 10_000))}"#).gives(400),
        .post("/classes/Open", #"{"a":\#(String(repeating: "[", count: 100_000))"#).gives(400),
        .get("/classes/Open", where: String(repeating: "[", count: 9000)).gives(400),
        .get(
            "/classes/Open",
            where: #"{"n":\#(String(repeating: #"{"$not":"#, count: 60))1\#(String(repeating: "}", count: 61))"#
        ).gives(400),
        .get("/health").gives(200))

    private static let doubledOperators = Advisory(
        "9fjp-q3c4-6w3j", "the depth checked after a slow step", .everywhere,
        .post("/classes/Open", #"{"_method":"GET","where":\#(AdvisoryText.doubled("$or", levels: 14))}"#)
            .gives(400, code: 102),
        .post("/classes/Open", #"{"_method":"GET","where":\#(AdvisoryText.nested("$or", levels: 17))}"#)
            .gives(400, code: 102))

    private static let nestedOperators = Advisory(
        "cgxm-vr2f-6fj8", "nested operators take exponential time", .everywhere,
        .get("/classes/Open", where: AdvisoryText.doubled("$or", levels: 6)).gives(200, 400),
        .get("/classes/Open", where: AdvisoryText.doubled("$nor", levels: 6)).gives(200, 400),
        .get("/classes/Open", where: AdvisoryText.nested("$and", levels: 16)).gives(200, 400),
        .get(
            "/classes/Open",
            where: #"{"n":\#(String(repeating: #"{"$not":"#, count: 20))1\#(String(repeating: "}", count: 21))"#
        ).gives(400))

    private static let branches = Advisory(
        "rqxg-pcc9-f79w", "the depth of subqueries counted by branch", .everywhere,
        .get(
            "/classes/Open",
            where: #"{"$or":[{"n":1},\#(AdvisoryText.subqueries(levels: 3)),\#(AdvisoryText.subqueries(levels: 17))]}"#
        ).gives(400, code: 102),
        .get(
            "/classes/Open",
            where:
                #"{"$or":[\#(AdvisoryText.subqueries(levels: 16)),\#(AdvisoryText.subqueries(levels: 16))]}"#
        ).gives(400, code: 102))

    /// This probe checks the answer only. `QueryOperatorTests` checks that a slow query is stopped, and
    /// `ObjectRoutesTests` that other requests are answered meanwhile.
    private static let slowPatterns = Advisory(
        "qxh4-6wmx-rhg9", "a slow pattern stops the server", .everywhere,
        .post("/classes/Open", #"{"text":"aaaaaaaaaaaaaaaaaaaaaaaa!","n":5}"#).gives(201),
        .get("/classes/Open", where: #"{"n":5,"text":{"$regex":"^(a|aa)+$"}}"#).gives(200, 400, hides: ["aaaa!"]),
        .get("/classes/Open", where: #"{"n":5,"text":{"$regex":"^(a+)+$"}}"#).gives(200, 400, hides: ["aaaa!"]),
        .get("/health").gives(200))

    /// One query with two patterns: each pattern must be tested with its own state.
    private static let patternsAtOnce = Advisory(
        "v88r-ghm9-267f", "two patterns mixed", .everywhere,
        .post("/classes/Open", #"{"text":"UPPER","n":6}"#).gives(201, keeps: ["objectId": "upper"]),
        .post("/classes/Open", #"{"text":"lower","n":6}"#).gives(201, keeps: ["objectId": "lower"]),
        .get(
            "/classes/Open?order=n",
            where:
                #"{"n":6,"$or":[{"text":{"$regex":"^upper$"}},{"text":{"$regex":"^LOWER$","$options":"i"}}]}"#
        ).gives(200, shows: ["{lower}"], hides: ["{upper}"]),
        .get(
            "/classes/Open?order=n",
            where:
                #"{"n":6,"$or":[{"text":{"$regex":"^upper$","$options":"i"}},{"text":{"$regex":"^LOWER$"}}]}"#
        ).gives(200, shows: ["{upper}"], hides: ["{lower}"]))

    private static let clientVersions = Advisory(
        "38m6-82c8-4xfm", "a slow pattern on the version of the client", .everywhere,
        .get("/classes/Open", where: #"{"objectId":"{open}"}"#)
            .with(["X-Parse-Client-Version": "js" + String(repeating: "1.", count: 20_000)])
            .gives(200, shows: ["{open}"]),
        .post(
            "/classes/Open",
            #"{"_method":"GET","limit":1,"_ClientVersion":"js\#(String(repeating: "a", count: 500_000))"}"#
        ).gives(200))
}
