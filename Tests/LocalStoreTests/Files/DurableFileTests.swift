import Foundation
import StoreService
import StoreSupport
import Testing

struct DurableFileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var path: String { directory.root + "/file" }
    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: directory.root).sorted() }
    }

    private func content() throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

    @Test func aFileIsMadeOnceAndReplacedAsAWhole() throws {
        let long = [UInt8](repeating: 7, count: 3 << 20)
        try DurableFile.make([1, 2], at: path)
        #expect(throws: StoreError.self) { try DurableFile.make([3], at: path) }
        #expect(try content() == [1, 2])
        try DurableFile.replace(path, with: long)
        #expect(try content() == long)
        #expect(try names == ["file"])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func aFailedReplacementLeavesNoDraft() throws {
        // A directory that is not empty cannot be replaced by a file.
        try FileManager.default.createDirectory(atPath: path + "/inner", withIntermediateDirectories: true)
        #expect(throws: StoreError.self) { try DurableFile.replace(path, with: [1]) }
        #expect(try names == ["file"])
    }

    @Test func aMissingFileOrDirectoryCannotBeSynced() throws {
        try DurableFile.sync(directory.root)
        #expect(throws: StoreError.self) { try DurableFile.sync(path) }
        #expect(throws: StoreError.self) { try DurableFile.syncDirectory(of: directory.root + "/missing/file") }
    }
}
