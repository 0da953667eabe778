import HTTPTypes

/// Receives the body of one request piece by piece, without keeping it in memory.
///
/// Calls for one request never overlap. They run on the server's threads and must not block for long.
package protocol HTTPBodySink: Sendable {
    /// The largest accepted body in bytes. A longer one is answered with status 413.
    var bytesMax: Int { get }
    /// Receives the next piece of the body. The memory is valid during the call only.
    /// - Throws: the status of the response. The server discards the rest of the body, calls `abandon` and responds.
    func write(_ bytes: UnsafeRawBufferPointer) throws(HTTPBodyRefusal)
    /// Called at most once, if the request is refused or its connection is lost. The handler never receives the request.
    func abandon()
}

/// Ends a body with an error response.
package struct HTTPBodyRefusal: Error, Sendable, Hashable {
    /// The status of the response.
    package let status: HTTPResponse.Status

    package init(_ status: HTTPResponse.Status) { self.status = status }
}
