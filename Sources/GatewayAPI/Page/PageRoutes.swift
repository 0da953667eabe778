import HTTPServer

/// The routes of the web page and its files. They do not exist below the mount paths `/parse` and `/1`.
struct PageRoutes: Sendable {
    let configuration: APIConfiguration
    let responses: ResponseBuilder

    var routes: [Route] {
        let files = configuration.webDirectory.map {
            StaticFiles(directory: $0, commonHeaders: responses.commonHeaders)
        }
        let policy = RoutePolicy.open(.link, isPage: true)
        return [
            Route(.get, "/", "page", policy) { [responses, withoutPage] request in
                .now(try files?.file(["index.html"], request.http) ?? responses.text(withoutPage))
            },
            Route(.get, "/docs", "apiDocs", policy) { [responses] _ in
                guard files != nil else { throw APIError.noRoute }
                return .now(responses.redirect(to: "/docs/index.html"))
            },
            Route(.get, "/{file}", "pageFile", policy, takesRest: true) { request in
                guard let files else { throw APIError.noRoute }
                return .now(try files.file(request.parameters, request.http))
            },
        ]
    }

    /// The answer at `/` of a gateway that was started without a directory for its web page.
    private var withoutPage: String {
        """
        Tidegate \(configuration.version), \(configuration.mode.rawValue).
        The API answers at /classes, /sync and /changes, and is described in /openapi.yaml.
        This gateway was started without a directory for its web page.

        """
    }
}
