import HTTPTypes

extension HTTPField.Name {
    /// `standalone` or `replica`, on every answer.
    package static let tidegateMode = HTTPField.Name("X-Tidegate-Mode")!
    /// `true` asks for `_sync` in each object.
    package static let tidegateSync = HTTPField.Name("X-Tidegate-Sync")!
    /// Of the answer with an object: a strong tag of its fields, as `If-Match` takes it.
    package static let tidegateTag = HTTPField.Name("X-Tidegate-Tag")!
    package static let tidegateAccessKey = HTTPField.Name("X-Tidegate-Access-Key")!
    /// `now`: a call goes to the remote without waiting for writes that were made before it.
    static let tidegateForward = HTTPField.Name("X-Tidegate-Forward")!
    /// On calls that a replica hands on, so that replicas that follow each other do not do so for ever.
    static let tidegateForwarded = HTTPField.Name("X-Tidegate-Forwarded")!
    /// What the gateway's own page sends, and pages of other origins cannot.
    static let tidegatePage = HTTPField.Name("X-Tidegate-Page")!
    /// Which pages may have an answer as an image, a script or the like (Fetch, "Cross-Origin-Resource-Policy header").
    static let crossOriginResourcePolicy = HTTPField.Name("Cross-Origin-Resource-Policy")!
    /// Whether a page keeps a hold on the window that shows an answer (HTML, "Cross-origin opener policies").
    static let crossOriginOpenerPolicy = HTTPField.Name("Cross-Origin-Opener-Policy")!
    static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
    /// Where a stream of events shall go on (HTML, "Server-sent events").
    static let lastEventID = HTTPField.Name("Last-Event-ID")!

    // Fetch metadata: what a browser says of a request's origin and no script can forge.
    static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
    static let secFetchMode = HTTPField.Name("Sec-Fetch-Mode")!
    static let secFetchDest = HTTPField.Name("Sec-Fetch-Dest")!

    static let requestPrivateNetwork = HTTPField.Name("Access-Control-Request-Private-Network")!
    static let allowPrivateNetwork = HTTPField.Name("Access-Control-Allow-Private-Network")!

    // What a Parse client says of itself.
    static let parseApplicationId = HTTPField.Name("X-Parse-Application-Id")!
    static let parseMasterKey = HTTPField.Name("X-Parse-Master-Key")!
    static let parseMaintenanceKey = HTTPField.Name("X-Parse-Maintenance-Key")!
    static let parseRESTKey = HTTPField.Name("X-Parse-REST-API-Key")!
    static let parseJavaScriptKey = HTTPField.Name("X-Parse-Javascript-Key")!
    static let parseClientKey = HTTPField.Name("X-Parse-Client-Key")!
    static let parseWindowsKey = HTTPField.Name("X-Parse-Windows-Key")!
    static let parseSessionToken = HTTPField.Name("X-Parse-Session-Token")!
    static let parseInstallationId = HTTPField.Name("X-Parse-Installation-Id")!
    static let parseClientVersion = HTTPField.Name("X-Parse-Client-Version")!
    static let parseRevocableSession = HTTPField.Name("X-Parse-Revocable-Session")!
    static let parseRequestId = HTTPField.Name("X-Parse-Request-Id")!
    static let parseCloudContext = HTTPField.Name("X-Parse-Cloud-Context")!

    // Where a Parse Server names what a call has started.
    static let parseJobStatusId = HTTPField.Name("X-Parse-Job-Status-Id")!
    static let parsePushStatusId = HTTPField.Name("X-Parse-Push-Status-Id")!

    /// What a page of an allowed origin may send: what SDKs do (`DEFAULT_ALLOWED_HEADERS` of Parse Server), and ours.
    static let allowedOfPages =
        [
            parseApplicationId, parseMasterKey, parseMaintenanceKey, parseRESTKey, parseJavaScriptKey, parseClientKey,
            parseWindowsKey, parseSessionToken, parseInstallationId, parseClientVersion, parseRevocableSession,
            parseCloudContext, tidegateAccessKey, tidegateSync, tidegateForward, contentType, authorization,
            cacheControl, ifNoneMatch, ifMatch,
            lastEventID, parseRequestId,
        ] + ["X-Requested-With", "Pragma"].map { HTTPField.Name($0)! }

    /// What such a page may read besides the headers that every page may.
    static let shownToPages: [HTTPField.Name] = [
        location, eTag, retryAfter, tidegateMode, tidegateTag, parseJobStatusId, parsePushStatusId,
    ]
}
