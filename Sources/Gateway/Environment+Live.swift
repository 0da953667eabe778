import Foundation
import ParseModel
import Synchronization

extension Environment {
    /// The system's clocks and random numbers. Other code reads time and random numbers only from an `Environment`.
    package static let live: Environment = {
        let began = ContinuousClock.now
        let bits = RandomBits()
        return Environment(
            now: { ParseDate(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) },
            uptime: { ContinuousClock.now - began },
            random: { bits.next() },
            sleep: { try await Task.sleep(for: $0, clock: .continuous) })
    }()
}

/// Buffers random numbers of the kernel: one system call yields 32 numbers.
private final class RandomBits: Sendable {
    private let waiting = Mutex<[UInt64]>([])
    /// The maximum number of bytes of one `getentropy` call.
    private static let bytesMax = 256

    func next() -> UInt64 {
        waiting.withLock { waiting in
            if waiting.isEmpty { waiting = Self.fresh() }
            return waiting.removeLast()
        }
    }

    private static func fresh() -> [UInt64] {
        var bits = [UInt64](repeating: 0, count: bytesMax / MemoryLayout<UInt64>.size)
        guard getentropy(&bits, bytesMax) == 0 else {
            var generator = SystemRandomNumberGenerator()
            return bits.map { _ in generator.next() }
        }
        return bits
    }
}
