/// Advisories about sessions: their owners, and the fields that only the gateway may set.
extension Advisory {
    static let aboutSessions = [othersSessions, newSessions, changedSessions, endlessSessions, protectedSessionFields]

    private static let othersSessions = Advisory(
        "6w4q-23cf-j9jp", "the session of another user changed", .accounts,
        .get("/sessions/me").by(.ada).gives(200, keeps: ["objectId": "adaSession"]),
        .get("/sessions/{adaSession}").gives(404, code: 101, hides: ["{adaToken}"]).forwarded,
        .put("/sessions/{adaSession}", #"{"theme":"x"}"#).gives(404, code: 101).forwarded,
        .put("/classes/_Session/{adaSession}", #"{"theme":"x"}"#).gives(404, code: 101).forwarded,
        .delete("/sessions/{adaSession}").gives(404, code: 101).forwarded,
        .batch("PUT", "/sessions/{adaSession}", #"{"theme":"x"}"#).gives(200, shows: [#""code":101"#]),
        .batch("DELETE", "/classes/_Session/{adaSession}").gives(200, shows: [#""code":101"#]),
        .get("/sessions", where: #"{"user":\#(AdvisoryData.pointer("_User", "ada"))}"#)
            .gives(200, hides: ["{adaSession}"]).forwarded,
        .get("/sessions/{adaSession}").by(.everybody).gives(400, code: 209).forwarded,
        .put("/sessions/{adaSession}", #"{"theme":"x"}"#).by(.everybody).gives(400, code: 209).forwarded,
        .delete("/sessions/{adaSession}").by(.everybody).gives(400, code: 209).forwarded,
        .get("/users/me").by(.ada).gives(200))

    private static let newSessions = Advisory(
        "5v7g-9h8f-8pgg", "the create of a session sets its token, user and end", .accounts,
        .post(
            "/sessions",
            #"{"sessionToken":"r:chosen","expiresAt":{"__type":"Date","iso":"2099-01-01T00:00:00.000Z"},"createdWith":{"action":"chosen"},"user":\#(AdvisoryData.pointer("_User", "ada"))}"#
        ).gives(201, shows: ["{eve}"], hides: ["chosen", "2099", "{ada}"]).forwarded,
        .get("/users/me").by(.everybody).with(["X-Parse-Session-Token": "r:chosen"]).gives(400, code: 209),
        .post("/sessions", #"{"objectId":"chosen"}"#).gives(201, hides: ["chosen"]).forwarded,
        .post("/sessions", #"{"user":\#(AdvisoryData.pointer("_User", "ada"))}"#).by(.everybody)
            .gives(400, code: 209).forwarded)

    private static let changedSessions = Advisory(
        "jc39-686j-wp6q", "the change of a session moves its end", .accounts,
        all: [
            #"{"expiresAt":{"__type":"Date","iso":"2099-01-01T00:00:00.000Z"}}"#, #"{"expiresAt":{"__op":"Delete"}}"#,
            #"{"expiresAt.iso":"2099-01-01T00:00:00.000Z"}"#, #"{"createdWith":{"action":"x"}}"#,
            #"{"user":\#(AdvisoryData.pointer("_User", "ada"))}"#, #"{"sessionToken":"r:chosen"}"#,
        ].flatMap { (body: String) -> [AdvisoryProbe] in
            [
                .get("/sessions/me").gives(200, keeps: ["objectId": "own"]),
                .put("/sessions/me", body).gives(400, code: 105),
                .put("/sessions/{own}", body).gives(400, code: 105).forwarded,
                .put("/classes/_Session/{own}", body).gives(400, code: 105).forwarded,
                .batch("PUT", "/sessions/{own}", body).gives(200, shows: [#""code":105"#]),
                .get("/sessions/me").gives(200, shows: ["{own}", "{eve}"], hides: ["2099", "r:chosen", "{ada}"]),
            ]
        })

    private static let endlessSessions = Advisory(
        "f6j3-w9v3-cq22", "a null removes the end of a session", .accounts,
        all: ["null", "0", #""""#, "false"].flatMap { (value: String) -> [AdvisoryProbe] in
            [
                .put("/sessions/me", #"{"expiresAt":\#(value)}"#).gives(400, code: 105),
                .get("/sessions/me").gives(200, shows: [#""expiresAt":{"#], keeps: ["objectId": "own"]),
                .put("/sessions/{own}", #"{"expiresAt":\#(value)}"#).gives(400, code: 105).forwarded,
            ]
        })

    private static let protectedSessionFields = Advisory(
        "g4v2-qx3q-4p64", "protected fields in the own session", .accounts,
        .put("/sessions/me", #"{"theme":"d4rk"}"#).gives(200, hides: ["d4rk"]),
        .put(
            "/schemas/_Session",
            #"{"classLevelPermissions":{"find":{"*":true},"get":{"*":true},"update":{"*":true},"create":{"*":true},"addField":{"*":true},"protectedFields":{"*":["theme"]}}}"#
        ).by(.master).gives(200),
        .get("/sessions/me").gives(200, hides: ["d4rk"]), .get("/sessions").gives(200, hides: ["d4rk"]).forwarded,
        .get("/sessions", where: #"{"theme":"d4rk"}"#).gives(400, code: 119).forwarded)
}
