import Foundation
import StoreSupport
import Testing

@testable import StoreService

/// The owner of the files that root makes in the data directory of another user.
@Suite(.enabled(if: geteuid() == 0, "only root makes files for other users")) struct FileOwnerTests {
    private let directory: TemporaryDirectory
    private let other: uid_t = 65_534

    init() throws {
        directory = try TemporaryDirectory()
        #expect(mkdir(directory.path, 0o700) == 0)
        #expect(chown(directory.path, other, other) == 0)
    }

    private func owner(_ name: String) -> uid_t? {
        var status = stat()
        return lstat(directory.path + "/" + name, &status) == 0 ? status.st_uid : nil
    }

    @Test func filesAndDirectoriesBelongToTheOwnerOfTheirDirectory() throws {
        let draft = try FileDraft(path: directory.path + "/draft")
        try DurableFile.make([1], at: directory.path + "/file")
        mkdir(directory.path + "/below", 0o700)
        FileOwner.adopt(directory: directory.path + "/below")
        try DurableFile.make([1], at: directory.path + "/below/file")
        #expect(["draft", "file", "below", "below/file"].map(owner) == [other, other, other, other])
        withExtendedLifetime(draft) {}
    }

    /// The owner of the directory may have made such links to files of root.
    @Test func linksAndTheirTargetsKeepTheirOwner() throws {
        let place = try TemporaryDirectory()
        #expect(mkdir(place.path, 0o700) == 0)
        let file = place.path + "/file"
        try DurableFile.make([1], at: file)
        symlink(place.path, directory.path + "/link")
        FileOwner.adopt(directory: directory.path + "/link")
        link(file, directory.path + "/hard")
        let descriptor = open(directory.path + "/hard", O_RDONLY)
        FileOwner.adopt(descriptor, at: directory.path + "/hard")
        close(descriptor)
        #expect(owner("link") == 0 && owner("hard") == 0)
        var status = stat()
        #expect(stat(place.path, &status) == 0 && status.st_uid == 0)
    }

    @Test func filesInADirectoryOfRootBelongToRoot() throws {
        #expect(chown(directory.path, 0, 0) == 0)
        try DurableFile.make([1], at: directory.path + "/file")
        #expect(owner("file") == 0)
    }
}
