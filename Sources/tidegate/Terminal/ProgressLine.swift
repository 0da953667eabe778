import Foundation
import ParseModel
import StoreService
import Synchronization

/// The line about the progress of a long command: `Checking Task · 3000 objects · 45% · 12 s left`. It is shown on a terminal
/// only, drawn at most ten times a second, and removed at the end.
final class ProgressLine: Sendable {
    /// The time between two drawings of the same step.
    private static let pause = Duration.milliseconds(100)
    /// The part of the work from which on the time left is shown. Before, it would be a guess.
    private static let partMin = 0.02

    private struct Drawn {
        var step: String
        var at: Duration
    }

    /// Whether the line is shown. Without it, a command need not find out how far it is.
    let isShown: Bool
    private let uptime: @Sendable () -> Duration
    private let draw: @Sendable (String) -> Void
    private let started: Duration
    private let drawn = Mutex<Drawn?>(nil)

    init(
        isShown: Bool = Console.showsProgress,
        uptime: @escaping @Sendable () -> Duration = { Environment.live.uptime() },
        draw: @escaping @Sendable (String) -> Void = { Console.progress($0) }
    ) {
        (self.isShown, self.uptime, self.draw, started) = (isShown, uptime, draw, uptime())
    }

    /// Shows how far the work is, unless the line was drawn a moment ago.
    /// - Parameter remark: a text for the end of the line.
    func show(_ progress: WorkProgress, remark: String? = nil) {
        guard isShown else { return }
        let now = uptime()
        drawn.withLock { drawn in
            if let drawn, drawn.step == progress.step, now - drawn.at < Self.pause { return }
            drawn = Drawn(step: progress.step, at: now)
            draw(Self.text(progress, after: now - started, remark: remark))
        }
    }

    /// Shows the progress of work that reports it; nil if the line is not shown, so that nothing is measured.
    var report: WorkMeter.Report? {
        guard isShown else { return nil }
        return { progress in self.show(progress) }
    }

    /// Removes the line.
    func end() {
        drawn.withLock { drawn in
            if drawn != nil { draw("") }
            drawn = nil
        }
    }

    // MARK: Text

    /// - Parameter elapsed: the time since the start of the work.
    static func text(_ progress: WorkProgress, after elapsed: Duration, remark: String? = nil) -> String {
        var parts = [progress.step]
        if let amount = amount(progress) { parts.append(amount) }
        if let part = progress.part.map({ min(1, max(0, $0)) }) {
            parts.append("\(Int(part * 100))%")
            if part >= partMin {
                let seconds = elapsed / .seconds(1)
                parts.append(timeLeft(seconds: seconds / part - seconds))
            }
        }
        if let remark { parts.append(remark) }
        return parts.joined(separator: " · ")
    }

    private static func timeLeft(seconds: Double) -> String {
        if seconds < 120 { return "\(Int(seconds)) s left" }
        return seconds < 7200 ? "\(Int(seconds / 60)) min left" : "\(Int(seconds / 3600)) h left"
    }

    /// The amount of a step: `3 of 12 objects`, or `1.2 MB of 3.4 MB`.
    private static func amount(_ progress: WorkProgress) -> String? {
        guard let done = progress.done else { return nil }
        let noun: String
        switch progress.unit {
        case .bytes:
            let size = ByteSize.text(done)
            return progress.total.map { "\(size) of \(ByteSize.text($0))" } ?? size
        case .objects: noun = "object"
        case .files: noun = "file"
        }
        return progress.total.map { "\(done) of \($0.counted(noun))" } ?? done.counted(noun)
    }
}
