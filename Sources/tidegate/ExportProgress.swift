import Gateway
import ParseModel
import StoreService
import Synchronization

/// How far an export is, in objects.
final class ExportProgress: Sendable {
    private struct State {
        var step = ""
        /// The objects in finished files.
        var finished = 0
        var count: ObjectCount?
        var objects: Int { finished + (count?.objects ?? 0) }
    }

    private let line: ProgressLine
    /// The number of all objects of the export; nil if it is unknown.
    private let total: Int?
    private let state = Mutex(State())

    /// - Parameters:
    ///   - classes: the exported classes; empty for all.
    ///   - sources: the numbers of objects; nil if they are unknown.
    init(_ line: ProgressLine, of classes: [String], in sources: [Transfers.Source]?) {
        self.line = line
        total = sources?.filter { classes.isEmpty || classes.contains($0.className) }.compactMap(\.objects).reduce(0, +)
    }

    var isShown: Bool { line.isShown }

    /// The number of exported objects, members of relations, schemas and parameters.
    var objects: Int { state.withLock(\.objects) }

    /// Begins the file of a class.
    /// - Parameters:
    ///   - className: nil for a file with all classes.
    ///   - format: the format of the file, if its pieces are passed to `take`.
    func begin(_ className: String?, _ format: ExportCommand.Format? = nil) {
        state.withLock { state in
            state.finished = state.objects
            state.count = format.map(ObjectCount.init)
            state.step = "Exporting " + (className ?? "all classes")
        }
        show()
    }

    /// Counts the objects in the next piece of a file.
    func take(_ piece: some Sequence<UInt8>) {
        state.withLock { $0.count?.take(piece) }
        show()
    }

    /// Counts one object.
    func countOne() {
        state.withLock { $0.finished += 1 }
        show()
    }

    private func show() {
        guard isShown else { return }
        let (step, objects) = state.withLock { ($0.step, $0.objects) }
        // The members of relations are not in the total, and clients may write meanwhile.
        let done = min(objects, total ?? objects)
        line.show(
            WorkProgress(
                step: step, unit: .objects, done: done, total: total,
                part: total.map { $0 == 0 ? 1 : Double(done) / Double($0) }))
    }
}

/// Counts the objects in a file of an export, piece by piece.
struct ObjectCount {
    private let format: ExportCommand.Format
    /// The number of line breaks outside of quoted cells.
    private var breaks = 0
    private var isQuoted = false

    init(_ format: ExportCommand.Format) { self.format = format }

    /// Line breaks within JSON texts are escapes. Only cells of a table contain them.
    mutating func take(_ piece: some Sequence<UInt8>) {
        let isTable = format == .csv
        for byte in piece {
            if byte == UInt8(ascii: "\n"), !isQuoted { breaks += 1 }
            if isTable, byte == UInt8(ascii: "\"") { isQuoted.toggle() }
        }
    }

    /// The number of objects; of an incomplete file, about the number so far.
    var objects: Int {
        switch format {
        // The first line has the names of the columns.
        case .csv: max(0, breaks - 1)
        // The first line is `{"results":[`, and the last one `]}`.
        case .parse: max(0, breaks - 2)
        default: breaks
        }
    }
}
