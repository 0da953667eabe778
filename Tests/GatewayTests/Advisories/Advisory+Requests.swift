/// Advisories about files of the web page, installations, addresses that the gateway could be made to call, and routes
/// that `--route-allow-list` excludes.
extension Advisory {
    static let aboutRequests = [pageFiles, installations, hooks, allowedRoutes]

    /// Paths that lead out of the directory of the page. `StaticFilesTests` also tests symbolic links.
    private static let pageFiles = Advisory(
        "hm3f-q6rw-m6wh", "files outside the directory of the page", .everywhere,
        all: [
            "/..%2fweb-other/x.txt", "/%2e%2e/web-other/x.txt", "/../web-other/x.txt", "/..;/web-other/x.txt",
            "//etc/passwd", "/..%5cweb-other%5cx.txt", "/.hidden", "/%2ehidden", "/%2e%2e%2fweb-other%2fx.txt",
            "/web-other/x.txt", "/..%2fweb-other",
        ].map { .get($0).by(.everybody).gives(404, hides: ["root:"]) } + [
            .get("/index.html").by(.everybody).gives(200, shows: ["the page"])
        ])

    private static let installations = Advisory(
        "cc6h-c8m4-hgrx", "an operator in the place of a token deletes installations", .accounts,
        all: [
            .post("/installations", #"{"deviceType":"ios","installationId":"one","deviceToken":"t0ken"}"#)
                .gives(201, keeps: ["objectId": "device"]).forwarded
        ]
            + [#"{"$ne":null}"#, #"{"$regex":"."}"#, "[]", "5", #"["t0ken"]"#].flatMap {
                (value: String) -> [AdvisoryProbe] in
                [
                    .post("/installations", #"{"deviceType":"ios","deviceToken":\#(value)}"#).gives(400).forwarded,
                    .post("/installations", #"{"deviceType":"ios","installationId":\#(value)}"#).gives(400).forwarded,
                    .post("/classes/_Installation", #"{"deviceType":"ios","deviceToken":\#(value)}"#).gives(400)
                        .forwarded,
                    .put("/installations/{device}", #"{"deviceToken":\#(value)}"#).gives(400).forwarded,
                ]
            } + [
                .get("/installations?count=1").by(.master).gives(200, shows: [#""count":1"#, "{device}", "t0ken"])
            ])

    private static let hooks = Advisory(
        "8pjv-59c8-44p8", "a hook calls any address without the master key", .accounts,
        .post("/hooks/functions", #"{"functionName":"f","url":"http://127.0.0.1:9"}"#).gives(400, 403).forwarded,
        .post("/hooks/functions", #"{"functionName":"f","url":"http://127.0.0.1:9"}"#).by(.everybody).gives(400, 403)
            .forwarded,
        .post("/hooks/functions", #"{"functionName":"f","url":"http://127.0.0.1:9"}"#).by(.readOnly).gives(400, 403)
            .replicas(400, 403),
        .put("/hooks/functions/f", #"{"url":"http://127.0.0.1:9"}"#).by(.readOnly).gives(400, 403)
            .replicas(400, 403))

    /// `AdvisoryGateways` allows all routes but those of the class `Unlisted`.
    private static let allowedRoutes = Advisory(
        "p84r-h6rx-f2xr", "the list of allowed routes bypassed by a batch", .everywhere,
        .get("/classes/Unlisted").gives(400, code: 119),
        .post(
            "/batch",
            #"{"requests":[{"method":"POST","path":"/classes/Open","body":{"text":"beside"}},"#
                + #"{"method":"POST","path":"/classes/Unlisted","body":{"text":"beside"}}]}"#
        ).gives(400, code: 119),
        .batch("GET", "/classes/Unlisted").gives(400, code: 119),
        .batch("PUT", "/parse/classes/Unlisted/x").gives(400, code: 119),
        .get("/classes/Open", where: #"{"text":"beside"}"#).gives(200, hides: ["beside"]))
}
