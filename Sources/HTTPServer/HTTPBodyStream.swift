/// A response body that is generated while it is sent. A waiting stream occupies no thread.
///
/// The server pulls one piece at a time on its own threads. Generating a piece must not block.
package protocol HTTPBodyStream: AnyObject, Sendable {
    /// Returns the next piece. Called when the previous pieces have been sent.
    func next() -> HTTPBodyPiece
    /// Called once before the first pull, with the function that ends a `.wait`.
    /// - Parameter wake: safe to call from any thread at any time, repeatedly, and after the end of the stream.
    func setWaker(_ wake: @escaping @Sendable () -> Void)
    /// Called once after the last pull: the stream has ended, the client has disconnected, or the server stops.
    func closed()
}

/// The result of one pull from a stream.
package enum HTTPBodyPiece: Sendable {
    /// A piece of any length.
    case bytes([UInt8])
    /// No data yet. The server pulls again after a call of `wake`.
    case wait
    /// The end of the body.
    case end
}
