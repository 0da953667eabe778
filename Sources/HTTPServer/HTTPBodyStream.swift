/// A response body that is generated while it is sent. A waiting stream occupies no thread.
///
/// The server's threads call `next`, one call at a time. `next` must not block.
package protocol HTTPBodyStream: AnyObject, Sendable {
    /// Returns the next piece. Called when the previous piece has been copied into the send buffer.
    func next() -> HTTPBodyPiece
    /// Receives the function that ends a `.wait`. Called once, before the first call of `next`.
    /// - Parameter wake: safe to call from any thread at any time, repeatedly, and after the end of the stream.
    func setWaker(_ wake: @escaping @Sendable () -> Void)
    /// Called once, when `next` will not be called again: after the end of the stream, after the client has disconnected, when
    /// the server stops, or if the response is never sent.
    func closed()
}

/// The result of `HTTPBodyStream.next`.
package enum HTTPBodyPiece: Sendable {
    /// The next bytes of the body, in any number.
    case bytes([UInt8])
    /// No data yet. The server calls `next` again after a call of `wake`.
    case wait
    /// The end of the body.
    case end
}
