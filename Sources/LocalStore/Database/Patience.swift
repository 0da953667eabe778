/// How long a query may take, and whether its client still waits for the result. A query without time left, or without a
/// client, is interrupted soon after, and throws `StoreError.tookTooLong`.
package struct Patience: Sendable {
    /// Nil for as long as it takes.
    package var time: Duration?
    /// Called from any thread, every few hundredths of a second; must return at once.
    package var isWanted: @Sendable () -> Bool

    package init(_ time: Duration?, whileWanted isWanted: @escaping @Sendable () -> Bool = { true }) {
        self.time = time
        self.isWanted = isWanted
    }

    /// As long as it takes.
    package static var endless: Patience { Patience(nil) }
}
