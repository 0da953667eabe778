import HTTPServer
import HTTPTypes
import HeaderNames

/// Builds the responses to pages of other origins. A page of an allowed origin gets CORS headers. A refused navigation
/// from another site gets a link to the gateway's page.
enum CrossOriginResponses {
    /// The headers that a page of an allowed origin may send: those of SDKs (`DEFAULT_ALLOWED_HEADERS` of Parse Server), and
    /// further ones for Tidegate.
    private static let allowedNames: [HTTPField.Name] = [
        .parseApplicationId, .parseMasterKey, .parseMaintenanceKey, .parseRESTKey, .parseJavaScriptKey,
        .parseClientKey, .parseWindowsKey, .parseSessionToken, .parseInstallationId, .parseClientVersion,
        .parseRevocableSession, .parseCloudContext, .tidegateAccessKey, .tidegateSync, .tidegateForward, .prefer,
        .contentType,
        .parseUploadMode, .parseFileMetadata, .parseFileTags, .parseFileDirectory, .parseFileSizeMax, .authorization,
        .cacheControl, .ifNoneMatch, .ifMatch, .lastEventID, .parseRequestId, .requestedWith, .pragma,
    ]

    /// The headers of a response that a page of an allowed origin may read, besides the CORS-safelisted ones.
    private static let shownNames: [HTTPField.Name] = [
        .location, .eTag, .retryAfter, .tidegateMode, .tidegateTag, .tidegateDamaged, .parseJobStatusId,
        .parsePushStatusId, .preferenceApplied, .tidegateState, .link,
    ]

    private static let shown = shownNames.map(\.rawName).joined(separator: ", ")
    private static let allowed = allowedNames.map(\.rawName).joined(separator: ", ")

    /// Adds the CORS headers if the request comes from a page of an allowed origin. A response below `/files/` also gets a header
    /// that lets pages of every site embed the file.
    static func open(_ response: inout HTTPServerResponse, _ exchange: Exchange) {
        if let origin = exchange.allowedOrigin {
            response.headers[.accessControlAllowOrigin] = origin
            response.headers[.accessControlExposeHeaders] = shown
            response.headers[.vary] = (response.headers[.vary].map { $0 + ", " } ?? "") + "Origin"
        }
        // A file URL is unguessable, so pages of every site may embed the file.
        if isFile(exchange.request.path) { response.headers[.crossOriginResourcePolicy] = "cross-origin" }
    }

    /// The answer to a CORS preflight of an allowed origin.
    static func preflight(_ request: HTTPServerRequest, headers: HTTPFields) -> HTTPServerResponse {
        var response = HTTPServerResponse(status: .noContent, headers: headers)
        response.headers[.accessControlAllowMethods] = "GET, HEAD, POST, PUT, DELETE, OPTIONS"
        response.headers[.accessControlAllowHeaders] = allowed
        response.headers[.accessControlMaxAge] = "600"
        if request.headers[.requestPrivateNetwork] == "true" { response.headers[.allowPrivateNetwork] = "true" }
        return response
    }

    private static func isFile(_ path: String) -> Bool {
        path.hasPrefix("/files/") || RoutePath.prefixes.dropFirst().contains { path.hasPrefix($0 + "/files/") }
    }

    /// The answer to a refused navigation from another site: HTML with a link to the gateway's page.
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
