import HTTPTypes

/// The names of headers that the HTTPTypes package does not define: headers of Tidegate, of the Parse protocol, and of browsers.
extension HTTPField.Name {
    /// In every response of the API: the mode of the gateway, `standalone` or `replica`.
    package static let tidegateMode = HTTPField.Name("X-Tidegate-Mode")!
    /// In a request: `true` adds `_sync`, the sync state, to each object of the response.
    package static let tidegateSync = HTTPField.Name("X-Tidegate-Sync")!
    /// In a response with one object: the strong entity tag of the object's content, which `If-Match` accepts.
    package static let tidegateTag = HTTPField.Name("X-Tidegate-Tag")!
    /// In a request: the access key of the gateway.
    package static let tidegateAccessKey = HTTPField.Name("X-Tidegate-Access-Key")!
    /// In a request: the client's preferences (RFC 7240). Tidegate uses `tidegate-remote` and `wait`.
    package static let prefer = HTTPField.Name("Prefer")!
    /// In a response: the preference that the gateway has followed (RFC 7240).
    package static let preferenceApplied = HTTPField.Name("Preference-Applied")!
    /// In a response to a write with the preference `tidegate-remote`: whether the remote has the change.
    package static let tidegateState = HTTPField.Name("Tidegate-State")!
    /// In a response: related addresses (RFC 8288).
    package static let link = HTTPField.Name("Link")!
    /// In a request for the remote: `now` forwards the request at once, without waiting for earlier queued writes, and even while
    /// syncing is paused.
    package static let tidegateForward = HTTPField.Name("X-Tidegate-Forward")!
    /// In a response to a log-in: `true` if the remote was not asked. The session is then known to this gateway only.
    package static let tidegateOffline = HTTPField.Name("X-Tidegate-Offline")!
    /// In a response with a list: the number of damaged objects of the class, which the list leaves out. Absent without damage.
    package static let tidegateDamaged = HTTPField.Name("X-Tidegate-Damaged")!
    /// Marks a request that a replica has forwarded. A replica does not forward a marked request again, which prevents a loop.
    package static let tidegateForwarded = HTTPField.Name("X-Tidegate-Forwarded")!
    /// Marks a request of the gateway's own page. Pages of other origins cannot set the header without a CORS preflight.
    package static let tidegatePage = HTTPField.Name("X-Tidegate-Page")!
    /// In a request of the page: the proof of the browser session of the person who runs the gateway. It is valid only
    /// together with the session's cookie.
    package static let tidegateOwner = HTTPField.Name("X-Tidegate-Owner")!
    /// In a response: controls whether the page and the window that opened it can reference each other
    /// (HTML, "Cross-origin opener policies").
    package static let crossOriginOpenerPolicy = HTTPField.Name("Cross-Origin-Opener-Policy")!
    package static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
    /// In a request: the id of the last event that was received before a reconnect (HTML, "Server-sent events").
    package static let lastEventID = HTTPField.Name("Last-Event-ID")!

    // Fetch metadata of the browser: the kind of the request, and how the request's origin relates to the target's origin.
    // Scripts cannot set these headers.
    package static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
    package static let secFetchMode = HTTPField.Name("Sec-Fetch-Mode")!
    package static let secFetchDest = HTTPField.Name("Sec-Fetch-Dest")!

    package static let requestPrivateNetwork = HTTPField.Name("Access-Control-Request-Private-Network")!
    package static let allowPrivateNetwork = HTTPField.Name("Access-Control-Allow-Private-Network")!

    // Request headers of Parse clients.
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
    package static let parseUploadMode = HTTPField.Name("X-Parse-Upload-Mode")!
    package static let parseFileMetadata = HTTPField.Name("X-Parse-File-Metadata")!
    package static let parseFileTags = HTTPField.Name("X-Parse-File-Tags")!
    package static let parseFileDirectory = HTTPField.Name("X-Parse-File-Directory")!
    package static let parseFileSizeMax = HTTPField.Name("X-Parse-File-Max-Upload-Size")!

    // Response headers with the id of the job status or push status that a request has created.
    package static let parseJobStatusId = HTTPField.Name("X-Parse-Job-Status-Id")!
    package static let parsePushStatusId = HTTPField.Name("X-Parse-Push-Status-Id")!

    // Headers of Azure Mobile Apps and Datasync servers.
    /// In a request: the version of the tables API, `2.0.0`.
    package static let zumoAPIVersion = HTTPField.Name("ZUMO-API-VERSION")!
    /// In a request: the token of the user (a JSON Web Token).
    package static let zumoAuth = HTTPField.Name("X-ZUMO-AUTH")!

    // The opening handshake of a WebSocket (RFC 6455 §4).
    package static let webSocketKey = HTTPField.Name("Sec-WebSocket-Key")!
    package static let webSocketAccept = HTTPField.Name("Sec-WebSocket-Accept")!
    package static let webSocketVersion = HTTPField.Name("Sec-WebSocket-Version")!

    package static let requestedWith = HTTPField.Name("X-Requested-With")!
    package static let pragma = HTTPField.Name("Pragma")!
    /// The `Host` header of a request. HTTPTypes has no name for this header, because it models the host as the pseudo-header
    /// `:authority`.
    package static let hostName = HTTPField.Name("Host")!
}
