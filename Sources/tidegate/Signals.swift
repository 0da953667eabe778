import Foundation

/// Ignores the signals that the kernel sends when a write fails (`SIGPIPE`, `SIGXFSZ`). By default they end the process.
enum Signals {
    /// Ignores SIGPIPE and SIGXFSZ in the whole process, because any thread may write to the log. A failed write also returns an
    /// error, which its caller handles.
    static func ignoreFailedWriteSignals() {
        // The signal of a write to a closed pipe or connection.
        signal(SIGPIPE, SIG_IGN)
        // The signal of a write beyond the file size limit. The write also returns an error, which is reported as a full disk.
        signal(SIGXFSZ, SIG_IGN)
    }
}
