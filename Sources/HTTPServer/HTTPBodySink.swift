import HTTPTypes

/// Receives the body of one request piece by piece, without keeping it in memory.
///
/// Calls for one request never overlap. They run on the server's threads and must not block for long.
package protocol HTTPBodySink: Sendable {
    /// The maximum length of the body in bytes. A longer body is answered with status 413.
    var bytesMax: Int { get }
    /// Receives the next piece of the body. The memory is valid during the call only.
    /// - Throws: the status of the error response. The server then calls `abandon` and discards the rest of the body.
    func write(_ bytes: UnsafeRawBufferPointer) throws(HTTPBodyRefusal)
    /// Called once if the request never reaches ``HTTPHandler/handle(_:)``, because it is refused or its connection is lost.
    func abandon()
}

/// Thrown to refuse a body with an error response.
package struct HTTPBodyRefusal: Error, Sendable, Hashable {
    /// The status of the response.
    package let status: HTTPResponse.Status

    package init(_ status: HTTPResponse.Status) { self.status = status }
}
