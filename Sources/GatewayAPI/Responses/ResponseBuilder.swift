import HTTPServer
import HTTPTypes
import HeaderNames
import ParseModel

/// Builds responses with the headers that every response has.
struct ResponseBuilder: Sendable {
    /// The headers of every response.
    let commonHeaders: HTTPFields
    private let jsonHeaders: HTTPFields

    init(mode: APIConfiguration.Mode) {
        var headers: HTTPFields = [.xContentTypeOptions: "nosniff"]
        headers[.tidegateMode] = mode.rawValue
        headers[.crossOriginOpenerPolicy] = "same-origin"
        headers[.crossOriginResourcePolicy] = "same-origin"
        // A client may cache a response, but must revalidate it before each use. The answer 304 then saves the body.
        headers[.cacheControl] = "private, no-cache"
        commonHeaders = headers
        headers[.contentType] = "application/json; charset=utf-8"
        jsonHeaders = headers
    }

    func json(_ text: [UInt8], status: HTTPResponse.Status = .ok) -> HTTPServerResponse {
        HTTPServerResponse(status: status, headers: jsonHeaders, body: text)
    }

    func json(_ object: JSONObject, status: HTTPResponse.Status = .ok) -> HTTPServerResponse {
        json(object.jsonBytes, status: status)
    }

    /// The response with a list of objects.
    /// - Parameter damagedCount: the number of damaged objects that the list leaves out.
    func list(_ text: [UInt8], damagedCount: Int) -> HTTPServerResponse {
        var response = json(text)
        if damagedCount > 0 { response.headers.append(HTTPField(name: .tidegateDamaged, value: String(damagedCount))) }
        return response
    }

    /// The response `{"results":[…]}` with these objects.
    func results(_ objects: [JSONObject]) -> HTTPServerResponse {
        json(["results": .array(objects.map(JSONValue.object))])
    }

    func text(_ text: String) -> HTTPServerResponse { data(Array(text.utf8), contentType: "text/plain; charset=utf-8") }

    func data(_ bytes: [UInt8], contentType: String) -> HTTPServerResponse {
        var headers = commonHeaders
        headers[.contentType] = contentType
        return HTTPServerResponse(status: .ok, headers: headers, body: bytes)
    }

    /// A redirection to another path of the gateway.
    func redirect(to path: String) -> HTTPServerResponse {
        var headers = commonHeaders
        headers[.location] = path
        return HTTPServerResponse(status: .found, headers: headers)
    }

    /// The response to OPTIONS.
    func methods(_ names: [String]) -> HTTPServerResponse {
        var headers = commonHeaders
        headers[.allow] = names.joined(separator: ", ")
        return HTTPServerResponse(status: .noContent, headers: headers)
    }

    /// The response with an object's JSON text. The header `X-Tidegate-Tag` has the object's tag.
    func object(_ text: [UInt8], tag: String) -> HTTPServerResponse {
        var response = json(text)
        // The headers contain no tag yet, so `append` needs no search for one.
        response.headers.append(HTTPField(name: .tidegateTag, value: tag))
        return response
    }

    func error(_ error: ErrorAnswer) -> HTTPServerResponse {
        var headers = error.isBare ? commonHeaders : jsonHeaders
        headers[.tidegateTag] = error.tag
        if let write = error.notTaken {
            headers[.tidegateState] = write.state.rawValue
            headers[.link] = write.entry.map { "<\($0)>; rel=\"describedby\"" }
        }
        return HTTPServerResponse(status: error.status, headers: headers, body: error.body.jsonBytes)
    }
}
