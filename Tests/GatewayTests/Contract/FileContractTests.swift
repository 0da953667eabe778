import Foundation
import ParseModel
import RemoteService
import SyncModel
import Synchronization
import Testing

/// Tests uploads and downloads of each remote that stores files.
@Suite("Contract of remotes: files")
struct FileContractTests {
    private final class Sink: ContentSink {
        private let bytes = Mutex<[UInt8]>([])
        var content: [UInt8] { bytes.withLock { $0 } }
        func write(_ piece: UnsafeRawBufferPointer) { bytes.withLock { $0 += piece } }
    }

    private func send(_ content: String, to remote: any RemoteService) async throws -> FileReference? {
        guard let files = remote.files else { return nil }
        let path = FileManager.default.temporaryDirectory.appending(path: "tidegate-\(UUID().uuidString)").path
        try Data(content.utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = FileUpload(
            name: "0123456789abcdef0123456789abcdef_cat.txt", contentType: "text/plain", size: content.utf8.count,
            path: path, attempts: 0)
        do {
            return try await files.upload(file)
        } catch RemoteError.refused {
            // The server may forbid uploads.
            return nil
        }
    }

    @Test(arguments: ContractRemote.all) func anUploadedFileIsDownloadedUnchanged(_ remote: ContractRemote) async throws
    {
        try await remote.hold { subject in
            guard let file = try await send("meow", to: subject.remote) else { return }
            #expect(file.name.hasSuffix("_cat.txt"))
            let sink = Sink()
            let type = try await #require(subject.remote.files).download(try #require(file.url), into: sink)
            #expect(type?.hasPrefix("text/plain") == true)
            #expect(String(decoding: sink.content, as: UTF8.self) == "meow")
        }
    }

    /// After a lost answer, the same content can be uploaded again without harm, because each upload is a file of its
    /// own.
    @Test(arguments: ContractRemote.all) func twoUploadsWithOneNameAreTwoFiles(_ remote: ContractRemote) async throws {
        try await remote.hold { subject in
            guard let first = try await send("one", to: subject.remote) else { return }
            let second = try #require(try await send("two", to: subject.remote))
            #expect(first.name != second.name)
            let sink = Sink()
            _ = try await #require(subject.remote.files).download(try #require(first.url), into: sink)
            #expect(String(decoding: sink.content, as: UTF8.self) == "one")
        }
    }

    @Test(arguments: ContractRemote.all) func theDownloadOfAMissingFileIsRefused(_ remote: ContractRemote) async throws
    {
        try await remote.hold { subject in
            guard let file = try await send("meow", to: subject.remote) else { return }
            let url = try #require(file.url).replacing(file.name, with: "none_cat.txt")
            do {
                _ = try await #require(subject.remote.files).download(url, into: Sink())
                Issue.record("there is a file at \(url)")
            } catch RemoteError.refused(let code, _) {
                #expect(code == ParseError.Code.objectNotFound.rawValue)
            }
        }
    }
}
