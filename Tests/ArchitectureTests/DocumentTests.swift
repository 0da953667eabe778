import Foundation
import Testing

/// Checks the statements of the documents about the repository: links, anchors, file names and installed packages.
struct DocumentTests {
    private static let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The text of a document without its fenced blocks.
    private static func prose(_ path: String) throws -> String {
        try text(path).replacing(/(?s)```.*?```/, with: "")
    }

    /// The pages at the root and all pages of `docs/`, as paths from the root.
    private static func pages() throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "docs").path)
        let docs = names.filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }
        return ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "NOTICES.md"] + docs
    }

    private static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    /// The path from the root that a relative link of a page names.
    private static func destination(of link: String, on page: String) -> String {
        var parts = page.split(separator: "/").dropLast().map(String.init)
        for part in link.split(separator: "/") {
            if part == ".." {
                _ = parts.popLast()
            } else if part != "." {
                parts.append(String(part))
            }
        }
        return parts.joined(separator: "/")
    }

    private static func anchors(of page: String) throws -> Set<String> {
        let text = try prose(page)
        return Set(text.matches(of: /(?m)^#+ (.*)$/).map { anchor(of: String($0.output.1)) })
    }

    /// The anchor that GitHub makes of a heading.
    private static func anchor(of heading: String) -> String {
        heading.lowercased().filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }.replacing(" ", with: "-")
    }

    @Test func eachLinkOfTheDocumentsLeadsToAFileAndAnAnchor() throws {
        var links = 0
        for page in try Self.pages() {
            for match in try Self.prose(page).matches(of: /\]\(([^)\s]+)\)/) {
                let link = String(match.output.1)
                guard !link.hasPrefix("http") else { continue }
                links += 1
                let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                let target = parts[0].isEmpty ? page : Self.destination(of: parts[0], on: page)
                #expect(Self.exists(target), "\(page): \(link)")
                guard parts.count == 2, Self.exists(target) else { continue }
                let anchors = try Self.anchors(of: target)
                #expect(anchors.contains(parts[1]), "\(page): \(link)")
            }
        }
        #expect(links > 50)
    }

    @Test func eachFileThatTheDocumentsNameExists() throws {
        var names = 0
        for page in try Self.pages() {
            let pattern = /`((?:Sources|Tests|scripts|web|docs|\.ci)\/[A-Za-z0-9_.+\/-]*)`/
            for match in try Self.prose(page).matches(of: pattern) {
                let name = String(match.output.1)
                names += 1
                #expect(Self.exists(name), "\(page): \(name)")
            }
        }
        #expect(names > 10)
    }

    @Test func eachScriptOfAFencedBlockExists() throws {
        var commands = 0
        for page in try Self.pages() {
            for match in try Self.text(page).matches(of: /(?m)^((?:scripts|\.ci|Tests)\/[a-z\/-]+)/) {
                let script = String(match.output.1)
                commands += 1
                #expect(Self.exists(script), "\(page): \(script)")
            }
        }
        #expect(commands > 3)
    }

    /// A line with an address may be longer, because an address cannot be broken.
    @Test func noLineOfAPageHasMoreThan160Characters() throws {
        for page in try Self.pages() {
            for (index, line) in try Self.text(page).split(separator: "\n", omittingEmptySubsequences: false)
                .enumerated()
            where line.count > 160 && !line.contains("https://") && !line.contains("http://") {
                Issue.record("\(page):\(index + 1) has \(line.count) characters")
            }
        }
    }

    @Test func eachPageOfTheDocsIsInTheReadme() throws {
        let readme = try Self.text("README.md")
        for page in try Self.pages() where page.hasPrefix("docs/") { #expect(readme.contains("](\(page))"), "\(page)") }
    }

    /// The migrations make tables, and drop or rename some of them later.
    @Test func theArchitectureDescribesEachTableOfTheFile() throws {
        let page = try Self.prose("docs/architecture.md")
        let sources = Self.root.appending(path: "Sources/LocalStore")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
        var migrations = ""
        for path in paths.sorted() where path.hasPrefix("Migrations/") {
            migrations += try Self.text("Sources/LocalStore/" + path)
        }
        func names(_ pattern: String) throws -> Set<String> {
            let pattern = try Regex(pattern, as: (Substring, Substring).self)
            return Set(migrations.matches(of: pattern).map { String($0.output.1) })
        }
        let made = try names(#"CREATE TABLE (\w+)"#).union(names(#"RENAME TO (\w+)"#))
        let tables = try made.subtracting(names(#"ALTER TABLE (\w+) RENAME TO"#))
        #expect(tables.count > 20)
        for table in tables.sorted() { #expect(page.contains("`\(table)`"), "\(table)") }
    }

    @Test func theChangelogAndTheAPIDescriptionNameTheVersionOfTheProgram() throws {
        func version(_ path: String, _ pattern: String) throws -> Substring? {
            try Self.text(path).firstMatch(of: Regex(pattern, as: (Substring, Substring).self))?.output.1
        }
        let program = try #require(try version("Sources/Gateway/Configuration/Version.swift", #"text = "([0-9.]+)""#))
        #expect(try version("CHANGELOG.md", #"\n## ([0-9.]+)"#) == program)
        #expect(try version("openapi.yaml", #"\n  version: ([0-9.]+)"#) == program)
    }

    @Test func theReadmeNamesAllInstalledPackages() throws {
        let readme = try Self.text("README.md")
        let script = try Self.text("scripts/bootstrap")
        let packages = script.matches(of: /missing\+=\(([a-z0-9.-]+)\)/).map { String($0.output.1) }
        #expect(packages.contains("libssl-dev") && packages.contains("python3-venv"))
        for package in packages where package != "wrk" { #expect(readme.contains(package), "\(package)") }
    }
}
