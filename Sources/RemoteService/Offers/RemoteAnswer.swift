import HTTPTypes

/// The remote's answer to a call.
package struct RemoteAnswer: Sendable {
    package var status: HTTPResponse.Status
    /// All headers of the answer. The API selects the headers that a local client receives.
    package var headers: HTTPFields
    package var body: [UInt8]
    /// The path in the `Location` header of a new object, below the remote's mount path: `/users/kQnaN4jB3w`.
    /// Nil for other answers.
    package var location: String?

    package init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: [UInt8] = [], location: String? = nil) {
        self.status = status
        self.headers = headers
        self.body = body
        self.location = location
    }
}
