import Foundation
import Testing

/// `Package.swift` names every Swift package of the build with its exact version, including the dependencies of
/// packages.
struct PinnedPackagesTests {
    private struct Resolved: Decodable {
        struct Pin: Decodable {
            struct State: Decodable { let version: String? }
            let identity: String
            let state: State
        }

        let pins: [Pin]
    }

    private static let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The versions in `Package.swift` by the identity of the package: the last part of its address, in lower case.
    private static func exactVersions() throws -> [String: String] {
        let manifest = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
        var versions: [String: String] = [:]
        for match in manifest.matches(of: /\.package\(url: "([^"]+)", exact: "([^"]+)"/) {
            let name = match.1.split(separator: "/").last.map(String.init) ?? ""
            versions[name.lowercased().replacing(/\.git$/, with: "")] = String(match.2)
        }
        return versions
    }

    @Test func everyPackageHasItsExactVersion() throws {
        let data = try Data(contentsOf: Self.root.appending(path: "Package.resolved"))
        let pins = try JSONDecoder().decode(Resolved.self, from: data).pins
        let exact = try Self.exactVersions()
        #expect(!pins.isEmpty)
        for pin in pins { #expect(exact[pin.identity] == pin.state.version, "\(pin.identity) has no exact version") }
    }
}
