/// A body that is made while it is sent. A reader that waits costs no thread.
///
/// Pieces are pulled on the server's threads, one at a time; making one must not block.
package protocol HTTPBodyStream: AnyObject, Sendable {
    /// The next piece, asked for when the client has taken those before.
    func next() -> HTTPBodyPiece
    /// Called before the first pull, with what has to be called when there is something after `.wait`.
    /// - Parameter wake: may be called at any time, from any thread, also too often and after the end.
    func setWaker(_ wake: @escaping @Sendable () -> Void)
    /// Nothing more will be pulled: the stream ended, the client left, or the server stops. Called once.
    func closed()
}

package enum HTTPBodyPiece: Sendable {
    /// Of any length.
    case bytes([UInt8])
    /// Nothing now; ask again after a call of the waker.
    case wait
    case end
}
