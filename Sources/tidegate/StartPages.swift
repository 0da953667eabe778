import CMalloc
import Foundation

/// The pages of the program and its libraries that only the start has used.
///
/// The kernel maps up to 64 KiB of a file around each page that a program touches, and counts all of it as resident. More than half of these
/// pages are not touched again after the start.
enum StartPages {
    /// Removes unchanged private pages of files from the memory of this process (`madvise`, `MADV_DONTNEED`). They stay in the page cache, and
    /// the next access maps them again. Without `/proc`, nothing happens.
    static func unmap() {
        guard let report = try? report() else { return }
        for range in unchanged(in: report) {
            tidegate_unmap_pages(range.lowerBound, range.count)
        }
    }

    /// The kernel's report on the memory of this process; nil without `/proc`. `Data(contentsOf:)` would give the beginning only.
    static func report() throws -> String? {
        let data = try FileHandle(forReadingAtPath: "/proc/self/smaps")?.readToEnd()
        return data.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The address ranges of private mappings of files that cannot be written and have no changed page. A page that the dynamic linker has
    /// changed would come back without the change.
    /// - Parameter report: the text of `/proc/PID/smaps`.
    static func unchanged(in report: String) -> [Range<UInt>] {
        var ranges: [Range<UInt>] = []
        var candidate: Range<UInt>?
        for line in report.split(separator: "\n") {
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            if let range = range(words.first ?? "") {
                let isFile = words.count > 5 && words[5].hasPrefix("/")
                candidate = isFile && ["r-xp", "r--p"].contains(words[1]) ? range : nil
            } else if words.first == "Anonymous:" {
                if let candidate, words.dropFirst().first == "0" { ranges.append(candidate) }
                candidate = nil
            }
        }
        return ranges
    }

    /// - Parameter text: two addresses in hexadecimal, with a hyphen between them.
    private static func range(_ text: Substring) -> Range<UInt>? {
        let ends = text.split(separator: "-").map { UInt($0, radix: 16) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first < last else { return nil }
        return first..<last
    }
}
