import HTTPTypes

/// A local client's call, as it is forwarded to the remote. `RemoteCallService` adds the application id and the REST key.
package struct RemoteCall: Sendable {
    package var method: HTTPRequest.Method
    /// The path below the remote's mount path with the query string, percent-encoded: `/functions/hello?a=1`.
    package var target: String
    /// The headers to send, such as the caller's session token and installation id. They contain no keys.
    package var headers: HTTPFields
    package var body: [UInt8]
    /// The master key that the caller has sent; nil for none.
    package var masterKey: String?
    /// Whether `masterKey` equals this gateway's master key. The gateway's master key is sent to the remote only if the settings
    /// name the same key as the remote's master key.
    package var isOwnMasterKey: Bool
    /// Whether the call only reads, so that the remote may receive it twice.
    package var isRepeatable: Bool
    /// Whether the caller demands that the call is sent at once, even while syncing is paused.
    package var ignoresPause: Bool
    /// What a successful answer contains. Another answer does not come from a Parse Server.
    package var form: AnswerForm

    package init(
        method: HTTPRequest.Method, target: String, headers: HTTPFields, body: [UInt8], masterKey: String? = nil,
        isOwnMasterKey: Bool = false, isRepeatable: Bool = false, ignoresPause: Bool = false, form: AnswerForm = .object
    ) {
        self.ignoresPause = ignoresPause
        self.form = form
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.masterKey = masterKey
        self.isOwnMasterKey = isOwnMasterKey
        self.isRepeatable = isRepeatable
    }
}
