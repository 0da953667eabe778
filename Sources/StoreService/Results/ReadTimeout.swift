/// The time limit of a query. The store interrupts the query soon after the limit is reached, or after the client has
/// disconnected. The query then throws `StoreError.tookTooLong`.
package struct ReadTimeout: Sendable {
    /// The time limit; nil for none.
    package var duration: Duration?
    /// Whether the client still waits for the result. Called from any thread, every few hundredths of a second. The closure must
    /// return at once.
    package var isWanted: @Sendable () -> Bool

    package init(_ duration: Duration?, whileWanted isWanted: @escaping @Sendable () -> Bool = { true }) {
        self.duration = duration
        self.isWanted = isWanted
    }

    package static var unlimited: ReadTimeout { ReadTimeout(nil) }
}
