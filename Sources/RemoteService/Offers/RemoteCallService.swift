import HTTPTypes
import ParseModel

/// Sends requests of local clients to the remote, in Parse's protocol.
package protocol RemoteCallService: Sendable {
    /// The remote's answer to a query, unchanged: `{"results": […], "count": n}`.
    func query(_ className: String, parameters: JSONObject) async throws(RemoteError) -> JSONObject

    /// Sends a call once, without a retry after an error. The answer is a success in the form that the call names, or
    /// an error in Parse's protocol.
    /// - Throws: `.unreachable`, or `.misaddressed` with a status outside of 200 to 299, if the remote did not execute the call. After any other error, the remote
    ///   may have executed it.
    func call(_ call: RemoteCall) async throws(RemoteError) -> RemoteAnswer

    /// The limits that the remote has named.
    var limits: RemoteLimits.Values { get }
}

extension RemoteCallService {
    package var limits: RemoteLimits.Values { RemoteLimits.Values() }
}

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
    /// Whether the call only reads, so that sending it twice does no harm.
    package var isRepeatable: Bool
    /// Whether the caller demands that the call is sent at once, even while syncing is paused.
    package var ignoresPause: Bool
    /// The form of a successful answer. An answer in another form does not come from a Parse Server.
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

/// The remote's answer to a forwarded call (`RemoteCall`).
package struct RemoteAnswer: Sendable {
    package var status: HTTPResponse.Status
    /// All headers of the answer. The API passes only some of them on to the local client.
    package var headers: HTTPFields
    package var body: [UInt8]
    /// The part of the `Location` header after the remote's mount path, for example `/users/kQnaN4jB3w`. Nil without the header,
    /// and for a URL outside the mount path.
    package var location: String?

    package init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: [UInt8] = [], location: String? = nil) {
        self.status = status
        self.headers = headers
        self.body = body
        self.location = location
    }
}
