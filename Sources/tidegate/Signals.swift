import Foundation

/// Signals of failed writes. Their default action ends the process.
enum Signals {
    /// Ignores SIGPIPE and SIGXFSZ. The failed write also returns an error, which its caller handles. The signals are
    /// ignored for the whole process, because any thread can write to the log.
    static func ignoreFailedWriteSignals() {
        // Raised by a write to a closed pipe or connection.
        signal(SIGPIPE, SIG_IGN)
        // Raised at the file size limit. The write error is then reported like a full disk.
        signal(SIGXFSZ, SIG_IGN)
    }
}
