/// Whether the result of a read is still waited for. A query is interrupted soon after it is not.
package enum ReadInterest {
    /// Of all queries that begin while it is set.
    @TaskLocal package static var isWanted: @Sendable () -> Bool = { true }
}
