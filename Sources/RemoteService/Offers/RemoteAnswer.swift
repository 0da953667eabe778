import HTTPTypes

/// The remote's answer to a call.
package struct RemoteAnswer: Sendable {
    package var status: HTTPResponse.Status
    /// All headers. The API decides which of them a local client receives.
    package var headers: HTTPFields
    package var body: [UInt8]
    /// The `Location` of a new object, below the remote's mount path: `/users/kQnaN4jB3w`.
    package var location: String?

    package init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: [UInt8] = [], location: String? = nil) {
        self.status = status
        self.headers = headers
        self.body = body
        self.location = location
    }
}
