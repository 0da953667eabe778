import ParseModel
import Synchronization

/// Remembers lists whose latest run without `QuickLists.timeout` was slow, by their shape. A list of such a shape does not start on the server's thread, where
/// it would run in vain until its timeout.
///
/// A shape is the hash of the class and the parameters, without `skip`, the values in `where`, and parameters of the protocol such as
/// `_SessionToken`. Two shapes with the same hash
/// do no harm: a list on another thread takes little longer.
final class SlowShapes: Sendable {
    /// When a shape is added to this number of shapes, all others are forgotten.
    static let countMax = 1000

    private let shapes = Mutex<Set<Int>>([])

    func contains(_ className: String, _ parameters: JSONObject) -> Bool {
        // Most gateways have no slow lists, and then compute no shape.
        guard !shapes.withLock({ $0.isEmpty }) else { return false }
        let shape = Self.shape(className, parameters)
        return shapes.withLock { $0.contains(shape) }
    }

    func note(_ className: String, _ parameters: JSONObject, isSlow: Bool) {
        let shape = Self.shape(className, parameters)
        shapes.withLock { shapes in
            guard isSlow else {
                shapes.remove(shape)
                return
            }
            if shapes.count >= Self.countMax { shapes.removeAll() }
            shapes.insert(shape)
        }
    }

    private static func shape(_ className: String, _ parameters: JSONObject) -> Int {
        var hasher = Hasher()
        hasher.combine(className)
        for (name, value) in parameters where name != "skip" && !name.hasPrefix("_") {
            hasher.combine(name)
            if name == "where" { hasher.combine(shape(of: conditions(value))) } else { hasher.combine(value) }
        }
        return hasher.finalize()
    }

    /// The value of `where`, which can also be JSON text.
    private static func conditions(_ value: JSONValue) -> JSONValue {
        value.string.flatMap { try? JSONReader.read($0) } ?? value
    }

    private static func shape(of condition: JSONValue) -> Int {
        var hasher = Hasher()
        switch condition {
        case .object(let fields):
            for (name, value) in fields {
                hasher.combine(name)
                hasher.combine(shape(of: value))
            }
        case .array(let elements): hasher.combine(Set(elements.map(shape(of:))))
        case .string, .number, .bool, .null: break
        }
        return hasher.finalize()
    }
}
