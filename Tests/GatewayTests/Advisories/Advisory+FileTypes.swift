/// Advisories about files with content types that a browser would run. The gateway refuses them or serves them as
/// attachments.
extension Advisory {
    static let aboutFileTypes = [pages, pictures, documents, charsets, otherTypes, unknownEndings, malformed, programs]

    private static let attached = [
        "Content-Disposition": "attachment", "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "default-src 'none'; sandbox",
    ]

    /// Probes for a file that the gateway stores and serves as an attachment.
    private static func attachment(_ name: String, _ type: String?) -> [AdvisoryProbe] {
        [
            .upload(name, type).gives(201, keeps: ["name": "file"]),
            .get("/files/app/{file}").gives(200, headers: attached),
        ]
    }

    /// Probes for an upload that the gateway refuses, as plain content and as Base64 in JSON.
    private static func refused(_ type: String) -> [AdvisoryProbe] {
        let escaped = type.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return [
            .upload("a", type).gives(400, code: 130, shows: ["Invalid Content-Type."]),
            .upload("a.txt", type).gives(400, code: 130, shows: ["Invalid Content-Type."]),
            .post("/files/a", #"{"base64":"PHNjcmlwdD4=","_ContentType":"\#(escaped)","_ApplicationId":"app"}"#)
                .gives(400, code: 130, shows: ["Invalid Content-Type."]),
        ]
    }

    private static let pages = Advisory(
        "9prm-jqwx-45x9", "an uploaded page runs at the gateway's address", .everywhere,
        all: attachment("a.html", "text/html") + attachment("a", "text/html") + attachment("a.htm", "text/html")
            + refused("text/plain;,text/html") + refused("audio/x, text/html"))

    private static let pictures = Advisory(
        "hcj7-6gxh-24ww", "scripts in an SVG picture", .everywhere,
        all: attachment("a.svg", "image/svg+xml") + attachment("a", "image/svg+xml")
            + attachment("a.svg", "image/png") + refused("image/png;,image/svg+xml"))

    private static let documents = Advisory(
        "v5hf-f4c3-m5rv", "XML, XHTML and XSL documents run", .everywhere,
        all: ["xml", "xht", "xhtml", "xsl", "xslt", "svgz", "mathml", "htc", "shtml", "rdf"].flatMap { ending in
            attachment("a.\(ending)", "application/xhtml+xml") + attachment("a.\(ending)", "text/xml")
                + attachment("a.\(ending)", nil)
        } + refused("video/mp4;,application/xhtml+xml"))

    private static let charsets = Advisory(
        "42ph-pf9q-cr72", "a parameter hides the type", .everywhere,
        all: ["text/html;charset=utf-8", "TEXT/HTML", "text/html ; charset=utf-8", "text/html;"]
            .flatMap { attachment("a", $0) } + refused("text/html;x") + refused("text/plain;,text/html"))

    private static let otherTypes = Advisory(
        "vr5f-2r24-w5hc", "the type contradicts the ending", .everywhere,
        all: attachment("a.html", "text/plain") + attachment("a.svg", "text/plain") + [
            .upload("a.txt", "text/html").gives(201, keeps: ["name": "file"]),
            .get("/files/app/{file}").gives(
                200, headers: ["Content-Type": "text/plain", "X-Content-Type-Options": "nosniff"]),
            .upload("a.png", "text/html").gives(201, keeps: ["name": "file"]),
            .get("/files/app/{file}").gives(
                200, headers: ["Content-Type": "image/png", "X-Content-Type-Options": "nosniff"]),
        ])

    private static let unknownEndings = Advisory(
        "v8x7-r927-cc93", "an unknown ending keeps the type", .everywhere,
        all: attachment("a.foo", "text/html") + attachment("a.xhtml", "application/xhtml+xml")
            + attachment("a.wasm", "application/wasm") + attachment("a.swf", "application/x-shockwave-flash")
            + attachment("a.foo", "multipart/x-mixed-replace"))

    private static let malformed = Advisory(
        "r899-h629-j84r", "a malformed type is guessed by browsers", .everywhere,
        all: [
            "text/plain;,text/html", "audio/x, text/html", "video/mp4;,application/xhtml+xml",
            "video/webm, */*, text/html;charset=utf-8", "image/png;,image/svg+xml", #"text/plain;a="b,text/html"#,
            "text/plain, text/html", "audio/", "/plain", "text", ";;;", "text/html;/plain", "text / html",
            "text/plain;a=b,text/html", "text/plain text/html", "text/pläin",
        ].flatMap(refused) + [
            .post("/files/a", #"{"base64":"eA==","_ContentType":"text/plain\r\nX: y","_ApplicationId":"app"}"#)
                .gives(400, code: 130),
            .post("/files/a", #"{"base64":"eA==","_ContentType":{"a":1},"_ApplicationId":"app"}"#)
                .gives(403, shows: ["unauthorized"]),
            .upload("a", "").gives(201), .upload("a", #"text/plain; a="b,c"; d=e"#).gives(201),
            .upload("a", "audio/x").gives(201), .upload("a", "*/*").gives(201, keeps: ["name": "file"]),
            .get("/files/app/{file}").gives(200, headers: attached),
        ])

    private static let programs = Advisory(
        "3jmq-rrxf-gqrg", "a file with the type of a program", .everywhere,
        all: [
            "text/javascript", "application/pdf", "application/x-msdownload", "text/css", "application/javascript",
            "text/xsl", "application/x-www-form-urlencoded",
        ].flatMap { attachment("a", $0) } + refused("text/plain;,text/javascript"))
}
