import HTTPServer
import HTTPTypes

/// Answers to pages of other origins. A page of an allowed origin gets the headers that let it read
/// an answer, others get a link to the gateway's page.
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

    /// A file may be shown by pages of every site, since its address is the key to it; nothing else may.
    static func embeddable(_ reply: HTTPReply, at path: String) -> HTTPReply {
        guard isFile(path) else { return reply }
        switch reply {
        case .now(let response): return .now(embeddable(response, at: path))
        case .later(let response): return .later { embeddable(await response(), at: path) }
        }
    }

    static func embeddable(_ response: HTTPServerResponse, at path: String) -> HTTPServerResponse {
        guard isFile(path) else { return response }
        var response = response
        response.headers[.crossOriginResourcePolicy] = "cross-origin"
        return response
    }

    private static func isFile(_ path: String) -> Bool {
        path.hasPrefix("/files/") || RouteTable.prefixes.dropFirst().contains { path.hasPrefix($0 + "/files/") }
    }

    /// The answer to a visit that a page of another site has led to.
    static func refusedVisit(headers: HTTPFields) -> HTTPServerResponse {
        var headers = headers
        headers[.contentType] = "text/html; charset=utf-8"
        headers[.contentSecurityPolicy] = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"
        headers[.referrerPolicy] = "no-referrer"
        return HTTPServerResponse(status: .forbidden, headers: headers, body: Array(refusedVisitPage.utf8))
    }

    private static let refusedVisitPage = """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Not from another site · Tidegate</title>
        <main>
        <h1>Not from another site</h1>
        <p>A page of another site has led here. Such pages do not reach this part of Tidegate.</p>
        <p><a href="/">Open Tidegate</a></p>
        </main>
        </html>

        """
}
