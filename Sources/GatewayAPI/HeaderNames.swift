import HTTPTypes

extension HTTPField.Name {
    /// `standalone` or `replica`, on every answer.
    package static let tidegateMode = HTTPField.Name("X-Tidegate-Mode")!
    /// `true` asks for `_sync` in each object.
    package static let tidegateSync = HTTPField.Name("X-Tidegate-Sync")!
    package static let tidegateAccessKey = HTTPField.Name("X-Tidegate-Access-Key")!
    /// The package has no name for it, since clients of its own set it by the URL.
    static let hostName = HTTPField.Name("Host")!
    static let parseSessionToken = HTTPField.Name("X-Parse-Session-Token")!
    static let referrerPolicy = HTTPField.Name("Referrer-Policy")!

    // Fetch metadata: what a browser says of a request's origin and no script can forge.
    static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
    static let secFetchMode = HTTPField.Name("Sec-Fetch-Mode")!
    static let secFetchDest = HTTPField.Name("Sec-Fetch-Dest")!

    static let requestPrivateNetwork = HTTPField.Name("Access-Control-Request-Private-Network")!
    static let allowPrivateNetwork = HTTPField.Name("Access-Control-Allow-Private-Network")!

    /// Headers in which a Parse client carries a key; here any of them may carry the access key.
    static let parseKeys = [
        "X-Parse-REST-API-Key", "X-Parse-Javascript-Key", "X-Parse-Client-Key", "X-Parse-Windows-Key",
        "X-Parse-Master-Key", "X-Parse-Maintenance-Key",
    ].map { HTTPField.Name($0)! }

    /// What a page of an allowed origin may send.
    static let allowedOfPages =
        [
            "Content-Type", "Authorization", "X-Tidegate-Access-Key", "X-Tidegate-Sync", "X-Parse-Application-Id",
            "X-Parse-Session-Token", "X-Parse-Installation-Id", "X-Parse-Client-Version", "X-Parse-Revocable-Session",
            "X-Parse-Request-Id", "X-Parse-Cloud-Context",
        ].map { HTTPField.Name($0)! } + parseKeys
}
