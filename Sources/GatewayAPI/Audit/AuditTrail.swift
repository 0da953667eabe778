/// Records who has signed in, whose sessions have ended, and what was done with the master key.
package protocol AuditTrail: Sendable {
    /// Records an event. Never fails, and does not wait for the disk.
    func note(_ event: AuditEvent)
}
