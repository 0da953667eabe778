import HTTPServer
import HTTPTypes

/// What pages of an allowed origin must be told so that their browser lets them read an answer.
enum CrossOriginAnswers {
    private static let shown = HTTPField.Name.shownToPages.map(\.rawName).joined(separator: ", ")
    private static let allowed = HTTPField.Name.allowedOfPages.map(\.rawName).joined(separator: ", ")

    static func opened(_ response: HTTPServerResponse, to origin: String) -> HTTPServerResponse {
        var response = response
        response.headers[.accessControlAllowOrigin] = origin
        response.headers[.accessControlExposeHeaders] = shown
        response.headers[.vary] = (response.headers[.vary].map { $0 + ", " } ?? "") + "Origin"
        return response
    }

    static func opened(_ reply: HTTPReply, to origin: String) -> HTTPReply {
        switch reply {
        case .now(let response): .now(opened(response, to: origin))
        case .later(let response): .later { opened(await response(), to: origin) }
        }
    }

    /// The answer to the question that precedes a request which is not a simple one.
    static func preflight(_ request: HTTPServerRequest, headers: HTTPFields, origin: String) -> HTTPServerResponse {
        var response = HTTPServerResponse(status: .noContent, headers: headers)
        response.headers[.accessControlAllowMethods] = "GET, HEAD, POST, PUT, DELETE, OPTIONS"
        response.headers[.accessControlAllowHeaders] = allowed
        response.headers[.accessControlMaxAge] = "600"
        if request.headers[.requestPrivateNetwork] == "true" { response.headers[.allowPrivateNetwork] = "true" }
        return opened(response, to: origin)
    }
}
