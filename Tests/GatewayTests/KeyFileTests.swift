import Foundation
import ParseModel
import Testing

@testable import Gateway

struct KeyFileTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.path + "/master-key" }
    private var file: KeyFile { KeyFile.masterKey(in: directory.path) }

    init() throws { directory = try TemporaryDirectory() }

    private func mode() throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func aKeyFileIsCreatedOnceAndPrivate() throws {
        let key = try file.key(orNew: Environment.live.secret)
        #expect(key.value.wholeMatch(of: /[A-Za-z0-9]{40}/) != nil)
        #expect(try mode() == 0o600)
        #expect(try file.key(orNew: Environment.live.secret) == key)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == key.value + "\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["master-key"])
        let other = try TemporaryDirectory()
        #expect(try KeyFile.masterKey(in: other.path).key(orNew: Environment.live.secret) != key)
    }

    @Test func existingKeyFileIsUsedAndMadePrivate() throws {
        try Data("mine \n".utf8).write(to: URL(filePath: path))
        #expect(chmod(path, 0o644) == 0)
        #expect(try file.key(orNew: Environment.live.secret) == Secret("mine"))
        #expect(try mode() == 0o600)
    }

    @Test(arguments: ["", "\n", "two words", "schlüssel"])
    func anInvalidKeyFileIsNamedAndNotQuoted(_ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
        let error = #expect(throws: GatewayError.self) { try file.key(orNew: Environment.live.secret) }
        #expect(error?.description.contains(path) == true)
        #expect(error?.description.contains("words") == false)
    }

    @Test func aMissingDirectoryOfTheKeyFileIsAnError() throws {
        let error = #expect(throws: GatewayError.self) {
            try KeyFile.masterKey(in: directory.path + "/none").key(orNew: Environment.live.secret)
        }
        #expect(error?.description.contains("No such file") == true)
    }
}
