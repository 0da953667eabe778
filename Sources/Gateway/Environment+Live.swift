import Foundation
import ParseModel

extension Environment {
    /// The system's clocks and random numbers: the one place where they are asked.
    package static let live: Environment = {
        let began = ContinuousClock.now
        return Environment(
            now: { ParseDate(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) },
            uptime: { ContinuousClock.now - began },
            random: {
                var generator = SystemRandomNumberGenerator()
                return generator.next()
            },
            sleep: { try await Task.sleep(for: $0, clock: .continuous) })
    }()
}
