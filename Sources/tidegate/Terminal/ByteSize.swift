import Foundation

/// A number of bytes in words.
enum ByteSize {
    /// `12.3 MB`
    static func text(_ bytes: Int) -> String {
        bytes < 1_000_000
            ? String(format: "%.1f kB", Double(bytes) / 1000) : String(format: "%.1f MB", Double(bytes) / 1_000_000)
    }
}
