/// Advisories about protected fields, and about fields of users that queries must not reveal. In `Secret`, only the
/// master key sees `text`. In `Guarded`, only the master key sees the relation `members`.
extension Advisory {
    static let aboutFields = [guesses, combinations, paths, listsAsObjects, owners]

    private static let guesses = Advisory(
        "2m6g-crv8-p3c6", "internal and protected fields guessed by conditions", .accounts,
        all: [
            "_hashed_password", "_perishable_token", "_email_verify_token", "_session_token", "_failed_login_count",
            "_auth_data_anonymous", "_rperm", "_wperm", "_tombstone",
        ].flatMap { (name: String) -> [AdvisoryProbe] in
            [
                .get("/users", where: #"{"\#(name)":"x"}"#).gives(400, code: 105).forwarded,
                .get("/users", where: #"{"\#(name)":{"$regex":"^a"}}"#).gives(400, code: 105).forwarded,
                .get("/users?order=\(name)").gives(400, code: 105).forwarded,
            ]
        } + [
            .get("/users", where: #"{"email":"ada@example.org"}"#).gives(400, code: 119).forwarded,
            .get("/users", where: #"{"email":{"$exists":true}}"#).gives(400, code: 119).forwarded,
            .get("/users?order=email").gives(400, code: 119).forwarded,
            .get("/users", where: #"{"authData.anonymous.id":"x"}"#).gives(400, code: 119).forwarded,
            .get("/users?keys=email,authData").gives(200, shows: ["{eve}"], hides: ["ada@"]).forwarded,
            .get("/users?keys=_hashed_password").gives(400, code: 105).forwarded,
            .get("/aggregate/_User?distinct=email").gives(403, hides: ["ada@"]),
            .get("/classes/Secret", where: #"{"text":"{marker}"}"#).gives(400, code: 119).only(.standalone, .site),
            .get("/classes/Secret", where: #"{"text":{"$regex":"^s3c"}}"#).gives(400, code: 119)
                .only(.standalone, .site),
            .get("/classes/Secret", where: #"{"text":{"$exists":true}}"#).gives(400, code: 119)
                .only(.standalone, .site),
            .get("/classes/Secret?order=-text").gives(400, code: 119).only(.standalone, .site),
            .get("/classes/Secret?keys=text,n").gives(200, shows: [#""n":7"#]).only(.standalone, .site),
        ])

    private static let combinations = Advisory(
        "72hp-qff8-4pvv", "a protected field in $or, $and or $nor", .rights,
        all: [
            #"{"$or":[{"n":0},{"text":"{marker}"}]}"#, #"{"$and":[{"n":7},{"text":"{marker}"}]}"#,
            #"{"$nor":[{"text":"{marker}"}]}"#, #"{"$or":[{"n":0},{"$and":[{"n":7},{"text":"{marker}"}]}]}"#,
            #"{"n":7,"$or":[{"text":{"$regex":"^s"}}]}"#,
        ].flatMap { (conditions: String) -> [AdvisoryProbe] in
            [
                "/classes/Secret", "/classes/Secret?count=1", "/classes/Secret?count=1&limit=0",
            ]
            .map { .get($0, where: conditions).gives(400, code: 119) }
                + [
                    .get("/classes/Secret?explain=true", where: conditions).gives(400),
                    .get(
                        "/classes/Probe",
                        where: #"{"to":{"$inQuery":{"className":"Secret","where":\#(conditions)}}}"#
                    ).gives(400, code: 119),
                ]
        } + [
            .get(
                "/classes/Probe",
                where: #"{"n":{"$select":{"key":"text","query":{"className":"Secret","where":{}}}}}"#
            ).gives(400, code: 119)
        ])

    private static let paths = Advisory(
        "r2m8-pxm9-9c4g", "a protected field by a path", .rights,
        .get("/classes/Secret", where: #"{"text.deep":"{marker}"}"#).gives(400, code: 119),
        .get("/classes/Secret", where: #"{"text.deep.er":{"$exists":false}}"#).gives(400, code: 119),
        .get("/classes/Secret?order=text.deep").gives(400, code: 119),
        .get("/classes/Secret?order=-text.deep").gives(400, code: 119),
        .get("/classes/Secret?keys=n,text.deep").gives(200, shows: [#""n":7"#]),
        .get("/classes/Secret?include=text.deep").gives(200, shows: [#""n":7"#]),
        .get("/classes/Probe?include=to.text&keys=to.text").gives(200, shows: ["{secret}"]))

    private static let listsAsObjects = Advisory(
        "mmg8-87c5-jrc2", "an object in the place of a list of conditions", .everywhere,
        .get("/classes/Secret", where: #"{"$or":{"0":{"text":"{marker}"},"length":1}}"#).gives(400, code: 102),
        .get("/classes/Secret", where: #"{"$and":{"0":{"text":"{marker}"},"length":1}}"#).gives(400, code: 102),
        .get("/classes/Secret", where: #"{"$nor":{"0":{"text":"{marker}"},"length":1}}"#).gives(400, code: 102),
        .get("/classes/Secret", where: #"{"n":{"$in":{"0":7,"length":1}}}"#).gives(400),
        .get("/classes/Secret", where: #"{"n":{"$all":{"0":7,"length":1}}}"#).gives(400))

    private static func members(_ className: String, _ name: String) -> String {
        #"{"$relatedTo":{"object":\#(AdvisoryData.pointer(className, name)),"key":"members"}}"#
    }

    private static let owners = Advisory(
        "wmwx-jr2p-4j4r", "$relatedTo past the rights on the owner", .rights,
        .get("/classes/Member", where: members("Secret", "secret")).gives(200, shows: ["{member}"]),
        .get("/classes/Member", where: members("Locked", "locked")).gives(200, shows: [#""results":[]"#]),
        .get("/classes/Member?count=1&limit=0", where: members("Locked", "locked")).gives(200, shows: [#""count":0"#]),
        .get("/classes/Member", where: #"{"$or":[\#(members("Locked", "locked"))]}"#)
            .gives(200, 400, hides: ["{member}"]),
        .get("/classes/Locked?redirectClassNameForKey=members", where: members("Locked", "locked"))
            .gives(200, shows: [#""results":[]"#]),
        .get("/classes/Member", where: members("Guarded", "guarded")).gives(200, shows: [#""results":[]"#]),
        .get("/classes/Member?count=1&limit=0", where: members("Guarded", "guarded")).gives(
            200, shows: [#""count":0"#]),
        .get("/classes/Member", where: members("Closed", "closed")).gives(200, shows: [#""results":[]"#]),
        .get(
            "/classes/Open",
            where: #"{"p":{"$inQuery":{"className":"Member","where":\#(members("Guarded", "guarded"))}}}"#
        ).gives(200, shows: [#""results":[]"#]))
}
