import ParseModel
import Synchronization

/// Remembers the shapes of the lists that were slow in their latest run on a thread for blocking reads.
///
/// A shape is the hash of the class and the parameters. It ignores the values in `where`, the parameter `skip`, and
/// parameters of the protocol such as `_SessionToken`. So a quick list can have the shape of a slow one. It then starts
/// on another thread, which takes little longer, and its run removes the shape.
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
        guard isSlow || !shapes.withLock({ $0.isEmpty }) else { return }
        let shape = Self.shape(className, parameters)
        shapes.withLock { shapes in
            guard isSlow else {
                shapes.remove(shape)
                return
            }
            guard !shapes.contains(shape) else { return }
            if shapes.count >= Self.countMax { shapes.removeAll() }
            shapes.insert(shape)
        }
    }

    private static func shape(_ className: String, _ parameters: JSONObject) -> Int {
        var hasher = Hasher()
        hasher.combine(className)
        let names = parameters.keys.filter { $0 != "skip" && !$0.hasPrefix("_") }
        for name in names.sorted() {
            hasher.combine(name)
            guard let value = parameters[name] else { continue }
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
            // The order of the fields does not matter.
            hasher.combine(Set(fields.map { [$0.key.hashValue, shape(of: $0.value)] }))
        case .array(let elements): hasher.combine(Set(elements.map(shape(of:))))
        case .string, .number, .bool, .null: break
        }
        return hasher.finalize()
    }
}
