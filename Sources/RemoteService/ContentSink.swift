/// Receives a file's content piece by piece.
package protocol ContentSink: Sendable {
    /// - Parameter bytes: the next piece. The memory is valid only during the call.
    func write(_ bytes: UnsafeRawBufferPointer) throws
}
