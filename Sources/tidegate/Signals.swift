import Foundation

/// Signals that would end the process for a write that fails.
enum Signals {
    /// Such a write fails with an error too, which is dealt with where it was made. Some threads have these signals
    /// blocked, but not all of them, and the log may be written by any.
    static func outliveFailedWrites() {
        // Whoever read the log, or asked, may be gone.
        signal(SIGPIPE, SIG_IGN)
        // A file has become as large as it may, which is answered as a full disk is.
        signal(SIGXFSZ, SIG_IGN)
    }
}
