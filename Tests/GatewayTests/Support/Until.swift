/// Waits until a condition holds.
/// - Throws: `CancellationError` after the time limit of the test, and the errors of the condition.
func until(_ condition: () async throws -> Bool) async throws {
    while try await !condition() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
