import HTTPTypes

/// The names of headers that the HTTP package lacks: Tidegate's own, those of Parse clients, and those of browsers.
extension HTTPField.Name {
    /// `standalone` or `replica`, on every answer.
    package static let tidegateMode = HTTPField.Name("X-Tidegate-Mode")!
    /// `true` asks for `_sync` in each object.
    package static let tidegateSync = HTTPField.Name("X-Tidegate-Sync")!
    /// On the answer with an object: a strong tag of its fields, as `If-Match` takes it.
    package static let tidegateTag = HTTPField.Name("X-Tidegate-Tag")!
    package static let tidegateAccessKey = HTTPField.Name("X-Tidegate-Access-Key")!
    /// `now`: a call goes to the remote without waiting for writes that were made before it.
    package static let tidegateForward = HTTPField.Name("X-Tidegate-Forward")!
    /// On calls that a replica forwards, so that replicas that follow each other do not forward a call for ever.
    package static let tidegateForwarded = HTTPField.Name("X-Tidegate-Forwarded")!
    /// On requests of the gateway's own page. Pages of other origins cannot send it.
    package static let tidegatePage = HTTPField.Name("X-Tidegate-Page")!
    /// Whether a page keeps a reference to the window that shows a response (HTML, "Cross-origin opener policies").
    package static let crossOriginOpenerPolicy = HTTPField.Name("Cross-Origin-Opener-Policy")!
    package static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
    /// The event after which a stream of events goes on (HTML, "Server-sent events").
    package static let lastEventID = HTTPField.Name("Last-Event-ID")!

    // Fetch metadata: a browser's statement about a request's origin, which no script can forge.
    package static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
    package static let secFetchMode = HTTPField.Name("Sec-Fetch-Mode")!
    package static let secFetchDest = HTTPField.Name("Sec-Fetch-Dest")!

    package static let requestPrivateNetwork = HTTPField.Name("Access-Control-Request-Private-Network")!
    package static let allowPrivateNetwork = HTTPField.Name("Access-Control-Allow-Private-Network")!

    // Headers of Parse clients.
    package static let parseApplicationId = HTTPField.Name("X-Parse-Application-Id")!
    package static let parseMasterKey = HTTPField.Name("X-Parse-Master-Key")!
    package static let parseMaintenanceKey = HTTPField.Name("X-Parse-Maintenance-Key")!
    package static let parseRESTKey = HTTPField.Name("X-Parse-REST-API-Key")!
    package static let parseJavaScriptKey = HTTPField.Name("X-Parse-Javascript-Key")!
    package static let parseClientKey = HTTPField.Name("X-Parse-Client-Key")!
    package static let parseWindowsKey = HTTPField.Name("X-Parse-Windows-Key")!
    package static let parseSessionToken = HTTPField.Name("X-Parse-Session-Token")!
    package static let parseInstallationId = HTTPField.Name("X-Parse-Installation-Id")!
    package static let parseClientVersion = HTTPField.Name("X-Parse-Client-Version")!
    package static let parseRevocableSession = HTTPField.Name("X-Parse-Revocable-Session")!
    package static let parseRequestId = HTTPField.Name("X-Parse-Request-Id")!
    package static let parseCloudContext = HTTPField.Name("X-Parse-Cloud-Context")!

    // Headers in which a Parse Server names the job or push that a call has started.
    package static let parseJobStatusId = HTTPField.Name("X-Parse-Job-Status-Id")!
    package static let parsePushStatusId = HTTPField.Name("X-Parse-Push-Status-Id")!

    package static let requestedWith = HTTPField.Name("X-Requested-With")!
    package static let pragma = HTTPField.Name("Pragma")!
    /// The host that a request names. The package has no name for it, because its own clients set the host by the URL.
    package static let hostName = HTTPField.Name("Host")!
}
