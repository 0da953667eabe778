import Logging

extension Trace {
    /// A logger that adds its lines to the trace, as explanations.
    func logger(named name: String) -> Logger {
        Logger(label: name) { [self] name in
            guard keepsLines else { return SwiftLogNoOpLogHandler() }
            return TraceLog(trace: self, name: name)
        }
    }
}

/// Adds log lines to a trace.
private struct TraceLog: LogHandler {
    let trace: Trace
    let name: String
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { trace.detail("\(name) log: \(event.message)") }
}
