/// The beginnings of requests. A table writes `.get(…)` in the place of a request and of a probe.
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
        // A client that names its application in the headers sends the plain content.
        request.headers["X-Parse-Application-Id"] = "app"
        return request
    }

    /// An open event stream, read up to the present.
    static func stream(_ query: String) -> AdvisoryRequest {
        get("/changes?\(query)").with(["Accept": "text/event-stream"])
    }

    /// A request of a batch.
    static func batch(_ method: String, _ path: String, _ body: String = "{}") -> AdvisoryRequest {
        post("/batch", #"{"requests":[{"method":"\#(method)","path":"\#(path)","body":\#(body)}]}"#)
    }
}
