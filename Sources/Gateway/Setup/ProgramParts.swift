import GatewayAPI

/// The program that serves a gateway.
package struct ProgramParts: Sendable {
    let report: any ProgramReport
    /// The browser sessions of the person who runs the gateway. They outlast a restart.
    let owners: OwnerSessions
    let restart: Restart
    let backups: BackupSchedule
}
