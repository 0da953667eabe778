import HTTPTypes

/// A call for the remote, without the keys of the configuration.
package struct RemoteCall: Sendable {
    package var method: HTTPRequest.Method
    /// The percent-encoded path below the remote's mount path, with its query: `/functions/hello?a=1`.
    package var target: String
    /// Session token, installation id and other facts about the caller, without keys.
    package var headers: HTTPFields
    package var body: [UInt8]
    /// The master key that the caller has sent.
    package var masterKey: String?
    /// Whether that key is this gateway's own. It is sent to the remote only if the remote has the same key.
    package var isOwnMasterKey: Bool
    /// Whether the call only reads.
    package var isRepeatable: Bool
    /// Whether the caller wants the call to be sent at once, even while syncing is paused.
    package var isInsisted: Bool

    package init(
        method: HTTPRequest.Method, target: String, headers: HTTPFields, body: [UInt8], masterKey: String? = nil,
        isOwnMasterKey: Bool = false, isRepeatable: Bool = false, isInsisted: Bool = false
    ) {
        self.isInsisted = isInsisted
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.masterKey = masterKey
        self.isOwnMasterKey = isOwnMasterKey
        self.isRepeatable = isRepeatable
    }
}
