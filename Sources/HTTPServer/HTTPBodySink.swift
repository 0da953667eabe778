import HTTPTypes

/// Takes the body of one request piece by piece, so that it is never in memory whole.
///
/// libmicrohttpd makes its calls for one connection on one thread, so no two calls come at a time; they must not block for long.
package protocol HTTPBodySink: Sendable {
    /// The largest body that is taken; beyond it the answer is 413.
    var bytesMax: Int { get }
    /// The next piece of the body. The memory is valid during the call only.
    /// - Throws: what the request is answered with once the rest of its body has been swallowed; `abandon` follows.
    func write(_ bytes: UnsafeRawBufferPointer) throws(HTTPBodyRefusal)
    /// The request was refused, or its connection was lost, and it never reaches the handler. Called once, if at all.
    func abandon()
}

/// Why a sink takes no more of a body.
package struct HTTPBodyRefusal: Error, Sendable, Hashable {
    /// That of the answer.
    package let status: HTTPResponse.Status

    package init(_ status: HTTPResponse.Status) { self.status = status }
}
