/// Advisories about names, byte ranges, deletions and metadata of files.
extension Advisory {
    static let aboutFileNames = [
        malformedRequests, ranges, namesWithoutEnding, filesByAddress, readOnlyDeletions, metadata, guardedRanges,
        trailingDots,
    ]

    private static let malformedRequests = Advisory(
        "xw6g-jjvf-wwf9", "a malformed request for a file ends the server", .everywhere,
        all: [
            "/files/", "/files//a", "/files/app/%E0%80%AF", "/files/app/%", "/files/app/%ff", "/files/app/a%00b",
            "/files/app/..%2f..%2fmaster-key", "/files/app/\(String(repeating: "a", count: 5000))",
        ].map { .get($0).by(.everybody).gives(400, 404) } + [
            .post("/files", "x").gives(400), .post("/files/", "x").gives(400), .get("/health").gives(200),
        ])

    private static func uploaded(_ name: String, _ type: String?, _ body: String = "0123456789") -> AdvisoryProbe {
        .upload(name, type, body).gives(201, keeps: ["name": "file"])
    }

    private static func ranged(_ range: String) -> AdvisoryRequest {
        AdvisoryProbe.get("/files/app/{file}").with(["Range": range])
    }

    private static let ranges = Advisory(
        "h423-w6qv-2wj3", "an invalid range ends the server", .everywhere,
        all: [uploaded("a.txt", "text/plain")]
            + [
                "bytes=abc", "bytes=-", "bytes=--1", "bytes=", "=", "bytes=5-2", "bytes=0-1,4-5", "bytes=0-0x1",
                "bytes=0-99999999999999999999", "bytes=9999999999999999999-",
            ].map { ranged($0).gives(200, 206, 416) } + [
                ranged("bytes=abc").gives(200, shows: ["0123456789"]),
                ranged("bytes=10-").gives(416, headers: ["Content-Range": "bytes */10"]),
                ranged("bytes=0-1").gives(206, shows: ["01"], hides: ["012"]), .get("/health").gives(200),
            ])

    private static let namesWithoutEnding = Advisory(
        "792q-q67h-w579", "a name without an ending ends the server", .everywhere,
        all: ["a", "a.", "a..", "x%20y"].flatMap { (name: String) -> [AdvisoryProbe] in
            ["text/plain", nil].flatMap { (type: String?) -> [AdvisoryProbe] in
                [uploaded(name, type), .get("/files/app/{file}").gives(200, shows: ["0123456789"])]
            }
        } + [
            .upload(".a", "text/plain").gives(400, code: 122), .upload("-x", "text/plain").gives(400, code: 122),
            .post("/files/a", #"{"base64":"eA==","_ApplicationId":"app"}"#).gives(201), .get("/health").gives(200),
        ])

    /// An address on this machine that the gateway must not download from.
    private static let address = "http://127.0.0.1:9/inside"

    private static let filesByAddress = Advisory(
        "x4qj-2f4q-r4rx", "an upload by address reaches other servers", .everywhere,
        .post(
            "/files/z",
            #"{"_ContentType":"text/plain","uri":"\#(address)","_source":{"format":"uri","uri":"\#(address)"}}"#
        )
        .with(["Content-Type": "text/plain", "X-Parse-Application-Id": "app"])
        .gives(201, keeps: ["name": "file"]),
        .get("/files/app/{file}").gives(200, shows: [address]),
        .post("/files/z", #"{"base64":"","fileData":{"uri":"\#(address)"},"_ApplicationId":"app"}"#).gives(
            400, code: 130),
        .post("/classes/Open", #"{"f":{"__type":"File","name":"z.txt","url":"\#(address)"}}"#)
            .gives(201, keeps: ["objectId": "filed"]),
        // A replica returns this address until the remote has given its own. It downloads files only from allowed
        // addresses.
        .get("/classes/Open/{filed}").gives(200, shows: ["/files/tidegate/z.txt"], hides: [address])
            .replicas(200, shows: ["z.txt"]))

    private static let readOnlyDeletions = Advisory(
        "xfh7-phr7-gr2x", "files changed with the read-only master key", .everywhere,
        uploaded("a.txt", "text/plain"), .upload("b.txt", "text/plain").by(.readOnly).gives(400, 403),
        .delete("/files/{file}").by(.readOnly).gives(400, 403),
        .post("/files/{file}", #"{"_method":"DELETE"}"#).by(.readOnly).gives(400, 403),
        .put("/files/{file}", "{}").by(.readOnly).gives(400, 403, 404, 405),
        .get("/files/app/{file}").gives(200, shows: ["0123456789"]))

    private static let metadata = Advisory(
        "hwx8-q9cg-mqmc", "the metadata of a file read without its guards", .everywhere,
        .post(
            "/files/a.txt",
            #"{"base64":"eA==","fileData":{"metadata":{"note":"draft"},"tags":{"tag":"draft"}},"_ApplicationId":"app"}"#
        )
        .gives(201, keeps: ["name": "file"]),
        .get("/files/app/metadata/{file}").by(.everybody).gives(200)
            .answers(in: [.personal, .site], 200, hides: ["draft"]),
        .get("/files/app/metadata/{file}").gives(200, shows: ["draft"]),
        .get("/files/other/{file}").by(.everybody).to(.withApplicationId).gives(403).only(.standalone),
        .get("/files/other/metadata/{file}").by(.everybody).to(.withApplicationId)
            .gives(403, hides: ["draft"]).only(.standalone))

    private static let guardedRanges = Advisory(
        "hpm8-9qx6-jvwv", "a range avoids the guards of a file", .everywhere,
        all: [
            uploaded("a", "text/html", "<script>alert(1)</script>"),
            ranged("bytes=0-1").gives(
                206, shows: ["<s"],
                headers: [
                    "Content-Disposition": "attachment", "X-Content-Type-Options": "nosniff",
                    "Content-Security-Policy": "default-src 'none'; sandbox",
                ]),
            .get("/files/app/unknown.txt").with(["Range": "bytes=0-1"]).gives(404),
            .get("/files/other/{file}").to(.withApplicationId).with([
                "Range": "bytes=0-1", "X-Parse-Application-Id": "app",
            ]).gives(400, 403, 404, hides: ["<s"]).only(.standalone),
            // Only its uploader may read a file that is not on the remote yet.
            ranged("bytes=0-1").by(.rob).gives(404, hides: ["<s"]).only(.site),
            ranged("bytes=0-1").by(.everybody).gives(404, hides: ["<s"]).only(.personal, .site),
        ])

    private static let trailingDots = Advisory(
        "7wqv-xjf3-x35v", "a trailing dot hides the ending of a name", .everywhere,
        all: ["a.html.", "a.svg..", "a.html%20", "a.HTML"].flatMap { (name: String) -> [AdvisoryProbe] in
            ["text/html", nil].flatMap { (type: String?) -> [AdvisoryProbe] in
                [
                    uploaded(name, type),
                    .get("/files/app/{file}").gives(
                        200,
                        headers: ["Content-Disposition": "attachment", "X-Content-Type-Options": "nosniff"]),
                ]
            }
        })
}
