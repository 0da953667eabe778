import HTTPServer
import ParseModel

/// `/push_audiences`: the objects of `_Audience`, for the master key. Their `query` is stored as JSON text. As on a Parse Server,
/// these routes show it as an object.
struct AudienceRoutes: Sendable {
    let objects: ObjectRoutes

    var routes: [Route] {
        let all = objects.routes(at: "/push_audiences", of: "_Audience", "Audience", access: .masterOnly)
        return all.map { route in
            guard route.policy.objects?.searches == true else { return route }
            return Route(route.method, route.pattern, route.name, route.policy) { request in
                switch try route.handler(request) {
                case .now(let response): .now(Self.shown(response))
                case .later(let work): .later { Self.shown(try await work()) }
                }
            }
        }
    }

    private static func shown(_ response: HTTPServerResponse) -> HTTPServerResponse {
        guard response.status == .ok, var body = (try? JSONReader.read(response.body))?.object else { return response }
        if let results = body["results"]?.array {
            body["results"] = .array(results.map { $0.object.map { .object(shown($0)) } ?? $0 })
        } else {
            body = shown(body)
        }
        return HTTPServerResponse(status: response.status, headers: response.headers, body: body.jsonBytes)
    }

    private static func shown(_ audience: JSONObject) -> JSONObject {
        guard let query = audience["query"]?.string.flatMap({ try? JSONReader.read($0) }) else { return audience }
        var audience = audience
        audience["query"] = query
        return audience
    }
}
