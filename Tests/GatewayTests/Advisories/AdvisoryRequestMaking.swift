/// Short constructors of requests, such as `.get(…)`, which tables use for requests and for probes.
protocol AdvisoryRequestMaking {}

extension AdvisoryRequestMaking {
    static func get(_ path: String, where conditions: String? = nil) -> AdvisoryRequest {
        AdvisoryRequest(method: "GET", path: path, conditions: conditions)
    }

    static func post(_ path: String, _ body: String = "{}") -> AdvisoryRequest {
        AdvisoryRequest(method: "POST", path: path, body: body)
    }

    static func put(_ path: String, _ body: String) -> AdvisoryRequest {
        AdvisoryRequest(method: "PUT", path: path, body: body)
    }

    static func delete(_ path: String) -> AdvisoryRequest { AdvisoryRequest(method: "DELETE", path: path) }

    /// An upload of bytes with a content type.
    static func upload(_ name: String, _ type: String?, _ body: String = "<script>") -> AdvisoryRequest {
        var request = AdvisoryRequest(method: "POST", path: "/files/\(name)", body: body)
        request.headers["Content-Type"] = type
        // If the application id is in a header, the body is the plain content of the file.
        request.headers["X-Parse-Application-Id"] = "app"
        return request
    }

    /// A request that opens a change stream and reads it up to the newest change.
    static func stream(_ query: String) -> AdvisoryRequest {
        get("/changes?\(query)").with(["Accept": "text/event-stream"])
    }

    /// A batch with one item.
    static func batch(_ method: String, _ path: String, _ body: String = "{}") -> AdvisoryRequest {
        post("/batch", #"{"requests":[{"method":"\#(method)","path":"\#(path)","body":\#(body)}]}"#)
    }
}
