/// Advisories about repeated failed log-ins, and about users when their class is closed. The lock-out counts failures
/// by user, so no path or header avoids it.
extension Advisory {
    static let aboutLockout = [batchedLogIns, forgedAddresses, batchedTransactions, otherMethods]

    private static func logIn(_ name: String, _ password: String) -> String {
        #"{"username":"\#(name)","password":"\#(password)"}"#
    }

    /// Probes that log in by each route after three failures, while the user is locked out.
    private static func locked(_ name: String) -> [AdvisoryProbe] {
        [
            .post("/login", logIn(name, "secret")), .get("/login?username=\(name)&password=secret"),
            .post("/login", #"{"_method":"GET","username":"\#(name)","password":"secret"}"#),
            .post("/verifyPassword", logIn(name, "secret")),
        ].map { (request: AdvisoryRequest) in
            request.by(.everybody).to(.withLockout)
                .gives(404, code: 101, shows: ["locked"], hides: ["sessionToken"])
        }
    }

    private static func batch(_ name: String, transaction: Bool) -> AdvisoryRequest {
        let item = #"{"method":"POST","path":"/login","body":\#(logIn(name, "wrong"))}"#
        let items = Array(repeating: item, count: 5).joined(separator: ",")
        return AdvisoryProbe.post("/batch", #"{"transaction":\#(transaction),"requests":[\#(items)]}"#)
            .by(.everybody).to(.withLockout)
    }

    private static let batchedLogIns = Advisory(
        "775h-3xrc-c228", "a batch avoids the limit of log-ins", .accounts,
        all: [batch("ada", transaction: false).gives(200, 400, hides: ["sessionToken"])]
            + (0..<3).map { _ in
                .post("/login", logIn("ada", "wrong")).by(.everybody).to(.withLockout).gives(404, code: 101)
            } + locked("ada"))

    private static let batchedTransactions = Advisory(
        "jmvh-84q9-vvrc", "a transaction avoids the limit of log-ins", .accounts,
        all: [batch("rob", transaction: true).gives(200, 400, hides: ["sessionToken"])]
            + (0..<3).map { _ in
                .post("/verifyPassword", logIn("rob", "wrong")).by(.everybody).to(.withLockout).gives(404, code: 101)
            } + locked("rob"))

    private static let forgedAddresses = Advisory(
        "4jj8-x76w-v7h7", "forged addresses avoid the limit of log-ins", .accounts,
        all: (0..<3).map { count in
            .post("/login", logIn("nina", "wrong")).by(.everybody).to(.withLockout).with([
                "X-Forwarded-For": "10.0.0.\(count)", "X-Real-IP": "10.0.0.\(count)",
                "X-Parse-Installation-Id": "installation-\(count)",
            ]).gives(404, code: 101)
        } + locked("nina"))

    private static let otherMethods = Advisory(
        "vpvj-hfh8-388m", "another method avoids the limit of log-ins", .accounts,
        all: [
            .get("/login?username=eve&password=wrong").by(.everybody).to(.withLockout).gives(404, code: 101),
            .post("/login", #"{"_method":"GET","username":"eve","password":"wrong"}"#).by(.everybody)
                .to(.withLockout).gives(404, code: 101),
            .get("/verifyPassword?username=eve&password=wrong").by(.everybody).to(.withLockout)
                .gives(404, code: 101),
        ] + locked("eve"))

    private static let closing =
        #"{"classLevelPermissions":{"get":{},"find":{},"count":{},"create":{"*":true},"update":{"*":true},"protectedFields":{"*":["email"]}}}"#

    static let deniedOwnRow = Advisory(
        "75v4-m273-5j49", "a log-in shows a row that the user may not read", .accounts,
        .put("/users/{nina}", #"{"note":"h1dden"}"#).by(.nina).gives(200).forwarded,
        .put("/schemas/_User", closing).by(.master).gives(200).forwarded,
        .get("/users/{nina}").by(.nina).gives(400, code: 119, hides: ["h1dden"]).forwarded,
        .post("/login", logIn("nina", "secret")).by(.everybody)
            .gives(200, shows: ["sessionToken", "{nina}"], hides: ["h1dden", "nina@"]).forwarded,
        .post("/verifyPassword", logIn("nina", "secret")).by(.everybody)
            .gives(200, shows: ["{nina}"], hides: ["h1dden", "nina@"]).forwarded,
        .get("/users/me").by(.nina).gives(200, shows: ["{nina}"], hides: ["h1dden", "nina@"]),
        .put("/schemas/_User", #"{"classLevelPermissions":null}"#).by(.master).gives(200).forwarded)

    static let closedSignUp = Advisory(
        "4m9m-p9j9-5hjw", "taken names told although sign-ups are closed", .accounts,
        all: [
            .put("/schemas/_User", #"{"classLevelPermissions":{"create":{},"get":{"*":true},"find":{"*":true}}}"#)
                .by(.master).gives(200).forwarded
        ]
            + [
                #"{"username":"ada","password":"x"}"#, #"{"username":"free","password":"x"}"#,
                #"{"username":"free","password":"x","email":"ada@example.org"}"#,
                #"{"authData":{"anonymous":{"id":"new"}}}"#,
            ].map { .post("/users", $0).by(.everybody).gives(400, code: 119, hides: ["taken"]).forwarded }
            + [.put("/schemas/_User", #"{"classLevelPermissions":null}"#).by(.master).gives(200).forwarded])
}
