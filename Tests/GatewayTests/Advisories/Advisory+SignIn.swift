/// Advisories about sign-ups, log-ins and changes of users. A replica forwards these requests to the remote, which
/// decides.
extension Advisory {
    static let aboutSignIn =
        [
            idsOfRoles, readOnlyLogIn, tokensAsOperators, knownAddresses, anonymousOperators, resetTwice, emptyLinks,
            resendPage, unknownProviders, ownAuthData, verifiedAuthData, knownNames, deniedOwnRow, othersRow, linkedIds,
            closedSignUp,
        ] + aboutLockout

    private static let idsOfRoles = Advisory(
        "8xq9-g7ch-35hg", "a user whose id counts as a role", .accounts,
        all: ["role:Editors", "*", "userField:owner", "authenticated", "requiresAuthentication"].flatMap {
            (id: String) -> [AdvisoryProbe] in
            let user = #"{"username":"mallory","password":"p","objectId":"\#(id)"}"#
            return [
                .post("/users", user).by(.everybody).to(.withChosenIds).gives(400, code: 119),
                .post("/users", user).by(.everybody).gives(400).forwarded,
                .batch("POST", "/users", user).by(.everybody).to(.withChosenIds)
                    .gives(200, shows: [#""code":119"#]),
                .post(
                    "/users", #"{"authData":{"anonymous":{"id":"m"}},"objectId":"\#(id)"}"#
                ).by(.everybody).to(.withChosenIds).gives(400, code: 119),
            ]
        })

    private static let readOnlyLogIn = Advisory(
        "79wj-8rqv-jvp5", "a log-in as another user with the read-only master key", .everywhere,
        .post("/loginAs", #"{"userId":"{ada}"}"#).by(.readOnly).gives(400, 403, hides: ["sessionToken"]),
        .post("/loginAs?userId={ada}").by(.readOnly).gives(400, 403, hides: ["sessionToken"]),
        .post("/loginAs", #"{"userId":"{ada}"}"#).by(.everybody).gives(400, code: 119).forwarded)

    private static let operators = [#"{"$regex":""}"#, #"{"$ne":null}"#, #"["x"]"#, "5", "null"]

    private static let tokensAsOperators = Advisory(
        "vgjh-hmwf-c588", "an operator in the place of a token of a mail", .accounts,
        all: operators.flatMap { (value: String) -> [AdvisoryProbe] in
            [
                .post("/requestPasswordReset", #"{"email":\#(value)}"#).by(.everybody).gives(500, code: 1).forwarded,
                .post("/verificationEmailRequest", #"{"email":\#(value)}"#).by(.everybody).gives(500, code: 1)
                    .forwarded,
                .post("/apps/a/request_password_reset", #"{"token":\#(value),"new_password":"x"}"#).by(.everybody)
                    .gives(404).replicas(404),
            ]
        } + [
            .get("/apps/a/verify_email?token[$regex]=&username=ada").by(.everybody).gives(404).replicas(404)
        ])

    /// The gateway sends no email, so the answers for known and unknown addresses are equal.
    private static let knownAddresses = Advisory(
        "w54v-hf9p-8856", "known addresses told by the request for a mail", .accounts,
        all: ["ada@example.org", "unknown@example.org", "ada"].flatMap { (address: String) -> [AdvisoryProbe] in
            ["/verificationEmailRequest", "/requestPasswordReset"].map {
                .post($0, #"{"email":"\#(address)"}"#).by(.everybody).gives(500, code: 1, hides: [address]).forwarded
            }
        })

    private static let anonymousOperators = Advisory(
        "5fw2-8jcv-xh87", "an operator in the place of an anonymous id", .accounts,
        all: ([#"{"$regex":"."}"#, #"{"$ne":null}"#, #"["x"]"#, "5", "true"]).flatMap {
            (id: String) -> [AdvisoryProbe] in
            let link = #"{"authData":{"anonymous":{"id":\#(id)}}}"#
            return [
                .post("/users", link).by(.everybody).gives(400, code: 252, hides: ["sessionToken"]).forwarded,
                .post("/login", link).by(.everybody).gives(400, hides: ["sessionToken"]).forwarded,
                .put("/users/{eve}", link).gives(400, code: 252).forwarded,
            ]
        })

    private static let resetTwice = Advisory(
        "r3xq-68wh-gwvh", "a reset token used twice at once", .everywhere,
        .post("/apps/a/request_password_reset", #"{"token":"x","new_password":"y"}"#).by(.everybody).gives(404))

    private static let emptyLinks = Advisory(
        "wjqw-r9x4-j59v", "a sign-up with empty links", .accounts,
        all: [
            #"{"authData":{}}"#, #"{"authData":null}"#, #"{"authData":{"bogus":null}}"#,
            #"{"authData":{"anonymous":{}}}"#, #"{"authData":{"anonymous":null}}"#,
            #"{"authData":{},"username":"mallory"}"#, "{}",
        ].map { .post("/users", $0).by(.everybody).gives(400, hides: ["sessionToken"]).forwarded })

    private static let resendPage = Advisory(
        "h29g-q5c2-9h4f", "known names told by the page for another mail", .everywhere,
        all: ["ada", "unknown"].flatMap { (name: String) -> [AdvisoryProbe] in
            ["/apps/a/resend_verification_email", "/resend_verification_email"].map {
                .post($0, #"{"username":"\#(name)"}"#).by(.everybody).gives(404, hides: [name])
            }
        })

    private static let unknownProviders = Advisory(
        "g4cf-xj29-wqqr", "a search for each provider that is not set up", .accounts,
        all: [
            #"{"authData":{"bogus":{"id":"x"}}}"#,
            #"{"authData":{\#((0..<100).map { #""bogus\#($0)":{"id":"x"}"# }.joined(separator: ","))}}"#,
        ].flatMap { (body: String) -> [AdvisoryProbe] in
            [
                .post("/users", body).by(.everybody).gives(400, code: 252).forwarded,
                .post("/login", body).by(.everybody).gives(400, hides: ["sessionToken"]).forwarded,
                .put("/users/{eve}", body).gives(400, code: 252).forwarded,
            ]
        })

    private static let ownAuthData = Advisory(
        "37mj-c2wf-cx96", "secrets of links in /users/me", .accounts,
        .post("/users", #"{"authData":{"anonymous":{"id":"anon","secret":"h1dden"}}}"#).by(.everybody)
            .gives(200, 201, 400, hides: ["h1dden"]).forwarded,
        .get("/users/me").gives(200, shows: ["{eve}"], hides: ["_hashed", "$argon", "_auth"]),
        .get("/users/{eve}").gives(200, shows: ["{eve}"], hides: ["_hashed", "$argon", "_auth"]).forwarded)

    private static let verifiedAuthData = Advisory(
        "wp76-gg32-8258", "secrets of links in /verifyPassword", .accounts,
        all: [
            AdvisoryProbe.get("/verifyPassword?username=eve&password=secret"),
            .post("/verifyPassword", #"{"username":"eve","password":"secret"}"#),
        ].map {
            $0.by(.everybody).gives(200, shows: ["{eve}"], hides: ["sessionToken", "_hashed", "$argon", "_auth"])
                .forwarded
        })

    /// The answers for known and unknown names are equal. `PasswordHasherTests` and `LogInLoadTests` check that the
    /// work is equal, too.
    private static let knownNames = Advisory(
        "mmpq-5hcv-hf2v", "known names told by a log-in", .accounts,
        all: ["/login", "/verifyPassword"].flatMap { (path: String) -> [AdvisoryProbe] in
            [("nobody", "secret"), ("ada", "wrong"), ("ADA", "secret")].map { name, password in
                .post(path, #"{"username":"\#(name)","password":"\#(password)"}"#).by(.everybody)
                    .gives(404, code: 101, shows: ["Invalid username/password."], hides: [name]).forwarded
            }
        })

    private static let othersRow = Advisory(
        "p49q-9w65-f9p7", "the row of another user read before the right to change it", .accounts,
        all: [
            "{}", #"{"email":"rob@example.org"}"#, #"{"username":"eve"}"#, #"{"username":5}"#, #"{"$x":1}"#,
            #"{"password":"x"}"#,
        ].flatMap { (body: String) -> [AdvisoryProbe] in
            let denied = ["{ada}", "none"].flatMap { (id: String) -> [AdvisoryProbe] in
                [
                    .put("/users/\(id)", body).gives(400, code: 206, hides: ["taken"]).forwarded,
                    .put("/users/\(id)", body).by(.everybody).gives(400, code: 206, hides: ["taken"]).forwarded,
                ]
            }
            return denied + [.batch("PUT", "/users/{ada}", body).gives(200, shows: [#""code":206"#])]
        })

    private static let linkedIds = Advisory(
        "8w3j-g983-8jh5", "linking tells whether an id is taken", .accounts,
        .post("/users", #"{"authData":{"anonymous":{"id":"taken"}}}"#).by(.everybody).gives(201).forwarded,
        .put("/users/{eve}", #"{"authData":{"google":{"id":"taken"}}}"#).gives(400, code: 252).forwarded,
        .put("/users/{eve}", #"{"authData":{"google":{"id":"free"}}}"#).gives(400, code: 252).forwarded)
}
