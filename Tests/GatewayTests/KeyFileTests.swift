import Foundation
import ParseModel
import Testing

@testable import Gateway

struct MasterKeyFileTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.path + "/master-key" }
    private var file: MasterKeyFile { MasterKeyFile(directory: directory.path) }

    init() throws { directory = try TemporaryDirectory() }

    private func mode() throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func keyIsCreatedOnceAndPrivate() throws {
        let key = try file.key(.live)
        #expect(key.value.wholeMatch(of: /[A-Za-z0-9]{40}/) != nil)
        #expect(try mode() == 0o600)
        #expect(try file.key(.live) == key)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == key.value + "\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["master-key"])
        let other = try TemporaryDirectory()
        #expect(try MasterKeyFile(directory: other.path).key(.live) != key)
    }

    @Test func ownKeyMayStandInTheFile() throws {
        try Data("mine \n".utf8).write(to: URL(filePath: path))
        #expect(chmod(path, 0o644) == 0)
        #expect(try file.key(.live) == Secret("mine"))
        #expect(try mode() == 0o600)
    }

    @Test(arguments: ["", "\n", "two words", "schlüssel"])
    func unusableFileIsNamedAndNotQuoted(_ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
        let error = #expect(throws: GatewayError.self) { try file.key(.live) }
        #expect(error?.description.contains(path) == true)
        #expect(error?.description.contains("words") == false)
    }

    @Test func directoryThatIsGoneIsAnError() throws {
        let error = #expect(throws: GatewayError.self) {
            try MasterKeyFile(directory: directory.path + "/none").key(.live)
        }
        #expect(error?.description.contains("No such file") == true)
    }
}
