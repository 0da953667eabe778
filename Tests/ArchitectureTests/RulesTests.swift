import Foundation
import Testing

/// Tests each rule with invented sources that break the rule, and with sources that only seem to break it.
struct RulesTests {
    @Test func importsOfTheSameOrAHigherLevelAreFound() throws {
        let rules = try rules([
            "Sources/ParseModel/A.swift": "import Foundation\nimport LocalStore\n",
            "Sources/SyncEngine/B.swift": "@testable import GatewayAPI\npackage import ParseModel\n",
            "Sources/GatewayAPI/C.swift": "internal import struct SyncEngine.Planner\n",
            "Sources/LocalStore/D.swift": "@_spi(Inner) public import Gateway\n",
        ])
        #expect(
            rules.imports() == [
                "Sources/GatewayAPI/C.swift:1: GatewayAPI (level 5) imports SyncEngine (level 5)",
                "Sources/LocalStore/D.swift:1: LocalStore (level 3) imports Gateway (level 6)",
                "Sources/ParseModel/A.swift:2: ParseModel (level 0) imports LocalStore (level 3)",
                "Sources/SyncEngine/B.swift:1: SyncEngine (level 5) imports GatewayAPI (level 5)",
            ])
    }

    @Test func importsOfAStoreOrARemoteByTheEngineAreFound() throws {
        let rules = try rules(["Sources/SyncEngine/A.swift": "import LocalStore\nimport RemoteService\n"])
        #expect(rules.imports() == ["Sources/SyncEngine/A.swift:1: SyncEngine must not know LocalStore"])
    }

    @Test func aTargetWithoutALevelIsFound() throws {
        let rules = try rules(["Sources/Helpers/A.swift": "import Gateway\n", "Sources/Gateway/B.swift": ""])
        #expect(rules.unknownTargets() == ["Sources/Helpers: is in no layer"])
    }

    @Test func namesOfHigherFoldersAreFound() throws {
        let rules = try rules([
            "Sources/GatewayAPI/Requests/A.swift": "struct A {\n    let route: Route\n    enum State {}\n}\n",
            "Sources/GatewayAPI/Routing/B.swift": "struct Route {\n    let a: A\n}\nenum State {}\n",
            "Sources/GatewayAPI/Compositions/C.swift": "let route: Route\n",
            "Sources/GatewayAPI/D.swift": "// Route\n",
            "Sources/GatewayAPI/Elsewhere/E.swift": "",
        ])
        #expect(
            rules.higherFolderNames() == [
                "Sources/GatewayAPI/Elsewhere/E.swift: its folder has no place in the order",
                "Sources/GatewayAPI/Requests/A.swift: names Route of the higher folder Routing",
            ])
    }

    @Test func decisionsByTheTextOfAnErrorAreFound() throws {
        let rules = try rules([
            "Sources/ParseRemote/A.swift": "if message.hasPrefix(\"cannot\") {}\nlet a = error == \"unauthorized\"\n"
                + "let b = body[\"error\"]?.string?.contains(\"limit\")\n",
            "Sources/ParseRemote/NamedLimits.swift": "if text.hasPrefix(\"Batch\") {}\n",
            "Sources/SyncEngine/B.swift": "let b = reason.contains(\"limit\")\nlet c = messages.count\n",
            "Sources/GatewayAPI/Page/C.swift": "let d = text.contains(\"a\")\n",
        ])
        #expect(
            rules.decisionsByText() == [
                "Sources/ParseRemote/A.swift:1: message.hasPrefix", "Sources/ParseRemote/A.swift:2: error == \"",
                "Sources/ParseRemote/A.swift:3: [\"error\"]?.string?.contains",
                "Sources/SyncEngine/B.swift:1: reason.contains",
            ])
    }

    @Test func onlyTheFactoryMayNameAnImplementationOfARemote() throws {
        let rules = try rules([
            "Sources/Gateway/Gateway.swift": "import ParseRemote\n",
            "Sources/Gateway/Remotes/RemoteFactory.swift": "import ParseRemote\n",
            "Sources/ParseRemote/A.swift": "import RemoteService\n",
            "Sources/SyncEngine/A.swift": "import ParseRemote\n",
        ])
        #expect(
            rules.imports() == [
                "Sources/Gateway/Gateway.swift:1: only the factory may know ParseRemote",
                "Sources/SyncEngine/A.swift:1: only the factory may know ParseRemote",
            ])
    }

    @Test func rawPointersAreFoundOutsideTheAllowedFiles() throws {
        let rules = try rules([
            "Sources/LocalStore/A.swift": "let a: UnsafeMutableRawBufferPointer\n",
            "Sources/ParseModel/B.swift": "let b: OpaquePointer?\n",
            "Sources/ParseModel/JSON/C.swift": "let c: UnsafeBufferPointer<UInt8>\n",
            "Sources/HTTPServer/D.swift": "let d: OpaquePointer\n",
        ])
        #expect(
            rules.rawPointers() == [
                "Sources/LocalStore/A.swift:1: UnsafeMutableRawBufferPointer",
                "Sources/ParseModel/B.swift:1: OpaquePointer",
            ])
    }

    @Test func deliberateCrashesAreFoundInCodeAndNotInComments() throws {
        let rules = try rules([
            "Sources/Gateway/A.swift": """
            // try! is not allowed, nor is fatalError(
            /* try! /* nested */ fatalError( */
            let url = "http://example.org" ; let x = try! read()
            let text = \"""
                // not a comment
                \"""
            func f() { fatalError("no") } // why
            """
        ])
        #expect(rules.crashes() == ["Sources/Gateway/A.swift:3: try!", "Sources/Gateway/A.swift:7: fatalError("])
    }

    @Test func checksOfTheParseServerVersionAreFoundOutsideTheSettings() throws {
        let rules = try rules([
            "Sources/Gateway/Configuration/A.swift": "enum Compatibility {}\n",
            "Sources/GatewayAPI/B.swift": "if version == Compatibility.seven {}\n// Compatibility\n",
        ])
        #expect(rules.versionsOfParseServer() == ["Sources/GatewayAPI/B.swift:1: Compatibility"])
    }

    @Test(arguments: [
        "Date()", "Date.now", "ContinuousClock()", "SystemRandomNumberGenerator()", "UUID()", "Task.sleep",
    ])
    func usesOfClocksAndRandomnessAreFoundOutsideTheLiveEnvironment(call: String) throws {
        let rules = try rules([
            Rules.liveEnvironment: "let a = \(call)\n", "Sources/SyncEngine/A.swift": "let b = \(call)\n",
            "Sources/SyncEngine/B.swift": "let c = ParseDate(milliseconds: 0), d = myUUID()\n",
        ])
        #expect(rules.clocksAndRandomness().count == 1)
        #expect(rules.clocksAndRandomness().first?.hasPrefix("Sources/SyncEngine/A.swift:1: ") == true)
    }

    @Test func readersOfJSONWithoutADepthLimitAreFound() throws {
        let rules = try rules([
            "Sources/LocalStore/A.swift": "try JSONReader.read(text, depthMax: .max)\n",
            "Sources/LocalStore/B.swift": "try JSONReader.read(text, depthMax: JSONReader.storedDepthMax)\n",
        ])
        #expect(rules.unboundedDepths() == ["Sources/LocalStore/A.swift:1: depthMax: .max"])
    }

    @Test func longFilesAreFoundInSourcesAndTests() throws {
        let rules = try rules([
            "Sources/Gateway/A.swift": String(repeating: "\n", count: 400),
            "Sources/Gateway/B.swift": String(repeating: "\n", count: 401),
            "Tests/GatewayTests/C.swift": String(repeating: "//\n", count: 500) + "//",
        ])
        #expect(
            rules.longFiles() == ["Sources/Gateway/B.swift: 401 lines", "Tests/GatewayTests/C.swift: 501 lines"])
    }

    @Test func largeCirclesOfFilesAreFound() throws {
        // Each file names a type of the next file, and the last file names one of the first. A further file names a
        // type, but no file names its types.
        var files = Dictionary(
            uniqueKeysWithValues: (0..<9).map { index in
                ("Sources/Gateway/F\(index).swift", "struct T\(index) { var next: [T\((index + 1) % 9)] }\n")
            })
        files["Sources/Gateway/User.swift"] = "struct User { var first: T0 }\n"
        files["Sources/LocalStore/Named.swift"] = "struct T0 {}\n"
        let names = (0..<9).map { "Sources/Gateway/F\($0).swift" }.joined(separator: " ")
        #expect(try rules(files).largeCircles() == ["Gateway: a circle of 9 files: \(names)"])
        files["Sources/Gateway/F3.swift"] = "struct T3 {}\n"
        #expect(try rules(files).largeCircles() == [])
    }

    @Test func aNameDeclaredInSeveralFilesMakesNoCircle() throws {
        let rules = try rules([
            // These names make no circle: private types, types that several files declare, and words in comments.
            "Sources/Gateway/A.swift": "struct A { private struct Hidden {}; enum State {}; var b: B }\n",
            "Sources/Gateway/B.swift": "// A\nstruct B { enum State {}; var state: State; var hidden: Hidden }\n",
        ])
        #expect(FileCircles(rules.sources).circles == [])
    }

    @Test func aCircleOfFilesIsFoundThroughNestedTypes() throws {
        let rules = try rules([
            "Sources/Gateway/A.swift": "enum Outer {\n    struct Inner {}\n    static let b = B()\n}\n",
            "Sources/Gateway/B.swift": "struct B { var inner: Inner }\n",
        ])
        #expect(FileCircles(rules.sources).circles == [["Sources/Gateway/A.swift", "Sources/Gateway/B.swift"]])
    }

    @Test func typesInTooManyFilesAreFound() throws {
        var files = [
            "Sources/Gateway/A.swift": "@MainActor package final class A: B {}\nstruct C {}\n",
            // Files of another target do not count, and private types of the same name are different types.
            "Sources/LocalStore/A.swift": "extension A {}\nextension LocalStore {}\n",
        ]
        for n in 1...3 {
            files["Sources/Gateway/A\(n).swift"] = "extension A {}\nextension C {}\nprivate struct D {}\n"
        }
        #expect(try rules(files).scatteredTypes() == [])
        files["Sources/Gateway/E.swift"] = "fileprivate extension A.Inner {}\nprivate struct D {}\nprivate enum F {}\n"
        let paths = ["A", "A1", "A2", "A3", "E"].map { "Sources/Gateway/\($0).swift" }.joined(separator: " ")
        #expect(try rules(files).scatteredTypes() == ["Gateway: A lies in 5 files: \(paths)"])
    }

    @Test(arguments: [
        "func a() {", "@Sendable private static func a<T>(_ b: T) where T: C {", "init?(_ a: B) {",
        "func a(\n        b: Int\n    ) -> Int\n    where C: D {", "var a: Int {", "subscript(a: Int) -> Int {",
    ])
    func longFunctionsAreFound(head: String) throws {
        func found(_ lines: Int) throws -> [String] {
            let body = String(repeating: "        // }\n", count: lines - 2 - head.count { $0 == "\n" })
            let type = "protocol P {\n    func b()\n    var c: Int { get }\n}\n\nstruct S {\n"
            return try rules(["Sources/Gateway/A.swift": "\(type)    \(head)\n\(body)    }\n}\n"]).longFunctions()
        }
        #expect(try found(60) == [])
        #expect(try found(61) == ["Sources/Gateway/A.swift:7: a function of 61 lines"])
    }

    /// Writes the files into a new package directory and reads them back.
    private func rules(_ files: [String: String]) throws -> Rules {
        let root = FileManager.default.temporaryDirectory.appending(path: "tidegate-rules-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        for (path, text) in files {
            let file = root.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return try Rules(root: root)
    }
}
