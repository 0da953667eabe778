import HTTPTypes

/// A call as the remote gets it, without the keys of the configuration.
package struct RemoteCall: Sendable {
    package var method: HTTPRequest.Method
    /// Below the remote's mount path, percent-encoded, with its query: `/functions/hello?a=1`.
    package var target: String
    /// Session token, installation id and other facts about the caller, without keys.
    package var headers: HTTPFields
    package var body: [UInt8]
    /// The master key that the caller offers.
    package var masterKey: String?
    /// The key is this gateway's own. A remote must not learn it, unless the two keys are the same.
    package var isOwnMasterKey: Bool
    /// The call only reads.
    package var isRepeatable: Bool
    /// The caller wants it sent at once, even while syncing is paused.
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
