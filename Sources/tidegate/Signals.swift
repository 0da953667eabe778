import Foundation

/// The signals that the kernel sends when a write fails. By default they end the process.
enum Signals {
    /// Ignores SIGPIPE and SIGXFSZ. The failed write also returns an error, which the caller of `write` handles. The signals
    /// are ignored in the whole process, because any thread may write to the log.
    static func ignoreFailedWriteSignals() {
        // The signal of a write to a closed pipe or connection.
        signal(SIGPIPE, SIG_IGN)
        // The signal of a write beyond the file size limit. The error of the write is reported like a full disk.
        signal(SIGXFSZ, SIG_IGN)
    }
}
