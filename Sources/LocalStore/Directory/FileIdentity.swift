import CBirthTime
import Foundation
import StoreService

/// What distinguishes a file from its copies: its inode number, and the time of its creation. A copy may get the inode
/// number of a file that was deleted before, so the number alone does not suffice. Renaming a file changes neither.
struct FileIdentity: Equatable {
    let number: UInt64
    /// In nanoseconds since 1970. `nil` if the file system does not keep this time.
    let bornAt: Int64?

    init(number: UInt64, bornAt: Int64?) {
        self.number = number
        self.bornAt = bornAt
    }

    init(ofFileAt path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw StoreError.file(operation: "open", path: path, message: DataDirectory.systemMessage(errno))
        }
        let bornAt = tidegate_birth_time(path)
        self.init(number: UInt64(status.st_ino), bornAt: bornAt == 0 ? nil : bornAt)
    }

    /// - Parameter stored: `number`, as earlier files have it, or `number time`.
    init?(stored: String) {
        let parts = stored.split(separator: " ")
        guard let number = parts.first.flatMap({ UInt64($0) }) else { return nil }
        self.init(number: number, bornAt: parts.dropFirst().first.flatMap { Int64($0) })
    }

    var stored: String { bornAt.map { "\(number) \($0)" } ?? String(number) }

    /// Whether both may be the same file. A time that is not known agrees with every time.
    func mayBe(_ other: Self) -> Bool {
        guard number == other.number else { return false }
        guard let bornAt, let otherBornAt = other.bornAt else { return true }
        return bornAt == otherBornAt
    }
}
