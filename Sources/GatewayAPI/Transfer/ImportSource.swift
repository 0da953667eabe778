import Foundation
import ParseModel
import Synchronization

/// An object in an imported text, or the reason why it cannot be imported.
struct ImportRecord: Sendable {
    /// The line on which the object begins, counted from 1.
    let line: Int
    let fields: Result<JSONObject, ParseError>
}

/// Reads the objects of an imported file in order, a few at a time. It holds one piece of the file in memory.
final class ImportSource: Sendable {
    private struct State: ~Copyable {
        let file: FileHandle
        var text: any ImportText
        var bytesRead = 0
        var isAtEnd = false
        var ready: [ImportRecord] = []
        /// The number of records at the beginning of `ready` that were already taken.
        var taken = 0
    }

    private static let pieceBytes = 1 << 18
    private let state: Mutex<State>

    /// - Throws: an error of the file system.
    init(path: String, _ text: any ImportText) throws {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        state = Mutex(State(file: file, text: text))
    }

    /// The number of bytes read so far.
    var bytesRead: Int { state.withLock { $0.bytesRead } }

    /// Reads the next objects. Blocks while it reads from the disk.
    /// - Returns: fewer than `count` objects only at the end.
    /// - Throws: `ParseError` if the text is malformed, so that no further object can be found; an error of the file
    ///   system.
    func next(_ count: Int) throws -> [ImportRecord] {
        try state.withLock { state in
            while state.ready.count - state.taken < count, !state.isAtEnd {
                state.ready.removeFirst(state.taken)
                state.taken = 0
                let piece = try state.file.read(upToCount: Self.pieceBytes) ?? Data()
                state.bytesRead += piece.count
                if piece.isEmpty {
                    state.isAtEnd = true
                    try state.text.finish(&state.ready)
                } else {
                    try state.text.take(Array(piece), &state.ready)
                }
            }
            let end = min(state.ready.count, state.taken + count)
            defer { state.taken = end }
            return Array(state.ready[state.taken..<end])
        }
    }
}
