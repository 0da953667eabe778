/// Takes a file's content piece by piece.
package protocol ContentSink: Sendable {
    /// - Parameter bytes: the next piece; the memory is valid during the call only.
    func write(_ bytes: UnsafeRawBufferPointer) throws
}
