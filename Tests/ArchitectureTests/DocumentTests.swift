import Foundation
import Testing

/// What the documents say of the repository holds: each link leads somewhere, and what is installed is named.
struct DocumentTests {
    private static let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    @Test(arguments: ["README.md", "docs/benchmarks.md"])
    func eachLinkLeadsSomewhere(path: String) throws {
        let text = try Self.text(path)
        let prose = text.replacing(/(?s)```.*?```/, with: "")
        let anchors = Set(prose.matches(of: /(?m)^#+ (.*)$/).map { Self.anchor(of: String($0.output.1)) })
        let folder = Self.root.appending(path: path).deletingLastPathComponent()
        var links = 0
        for match in prose.matches(of: /\]\(([^)\s]+)\)/) {
            let target = String(match.output.1)
            guard !target.hasPrefix("http") else { continue }
            links += 1
            let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            if parts[0].isEmpty {
                #expect(anchors.contains(String(parts[1])), "\(target)")
            } else {
                let place = folder.appending(path: String(parts[0])).path
                #expect(FileManager.default.fileExists(atPath: place), "\(target)")
            }
        }
        #expect(links > 0)
    }

    /// As GitHub makes it of a heading.
    private static func anchor(of heading: String) -> String {
        heading.lowercased().filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }.replacing(" ", with: "-")
    }

    @Test func theReadmeNamesWhatIsInstalled() throws {
        let readme = try Self.text("README.md")
        let script = try Self.text("scripts/bootstrap")
        let packages = script.matches(of: /missing\+=\(([a-z0-9.-]+)\)/).map { String($0.output.1) }
        #expect(packages.contains("libssl-dev") && packages.contains("python3-venv"))
        for package in packages where package != "wrk" { #expect(readme.contains(package), "\(package)") }
    }
}
