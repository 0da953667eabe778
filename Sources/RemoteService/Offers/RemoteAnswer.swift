import HTTPTypes

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
