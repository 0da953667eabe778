import ParseModel
import Synchronization

/// The limits that a remote has named in its refusals, such as the maximum size of a batch. All connections of a
/// gateway to one remote share them, and stores keep them, so that they hold after a restart.
package final class RemoteLimits: Sendable {
    package struct Values: Sendable, Hashable {
        /// The maximum number of requests in one batch.
        package var batch: Int?
        /// The maximum number of levels that `include` may have: `a.b.c` has three.
        package var includeDepth: Int?
        /// The maximum number of paths that `include` may name. The path `a.b` counts as `a` and `a.b`.
        package var includeCount: Int?

        package init(batch: Int? = nil, includeDepth: Int? = nil, includeCount: Int? = nil) {
            self.batch = batch
            self.includeDepth = includeDepth
            self.includeCount = includeCount
        }

        private static let names: [(String, WritableKeyPath<Values, Int?> & Sendable)] = [
            ("batch", \.batch), ("includeDepth", \.includeDepth), ("includeCount", \.includeCount),
        ]

        /// The limits as JSON. Nil becomes null: `{"batch":20,"includeDepth":null,"includeCount":null}`.
        package var json: JSONObject {
            var json = JSONObject()
            for (name, path) in Self.names { json[name] = self[keyPath: path].map { .int($0) } ?? .null }
            return json
        }

        /// Reads the text of `json` that a store has kept.
        /// - Parameter kept: the text; nil for no limits.
        package init(kept: String?) {
            self.init(json: kept.flatMap { try? JSONReader.read($0).object } ?? [:])
        }

        /// The limits as findings of `tidegate doctor`; empty without limits.
        package var findings: [RemoteFinding] {
            let limits = [
                batch.map { "\($0) requests in one batch" },
                includeDepth.map { "\($0) levels of an include" }, includeCount.map { "\($0) paths of an include" },
            ].compactMap { $0 }
            if limits.isEmpty { return [] }
            return [RemoteFinding("limits", .noted, "The remote has named limits: \(limits.joined(separator: ", ")).")]
        }

        /// Reads the limits from their JSON form. A value that is not a positive integer counts as unknown.
        package init(json: JSONObject) {
            for (name, path) in Self.names {
                self[keyPath: path] = json[name]?.int.flatMap { $0 > 0 ? $0 : nil }
            }
        }

        /// Replaces each limit by the smaller one of both values.
        fileprivate mutating func tighten(to other: Values) {
            for (_, path) in Self.names {
                guard let new = other[keyPath: path] else { continue }
                self[keyPath: path] = min(self[keyPath: path] ?? .max, new)
            }
        }
    }

    /// Stores the limits. It logs its own failure. After a failure, the limits hold only until the program ends.
    package typealias Recorder = @Sendable (Values) async -> Void

    private let state = Mutex<(values: Values, recorders: [Recorder])>((Values(), []))

    package init() {}

    package var current: Values { state.withLock { $0.values } }

    /// Adopts the limits that a store has kept, and stores later changes there.
    package func join(_ kept: Values, recorder: @escaping Recorder) {
        state.withLock {
            $0.values.tighten(to: kept)
            $0.recorders.append(recorder)
        }
    }

    /// Adopts the limits that a refusal of the remote has named.
    package func note(_ named: Values) async {
        let (values, recorders) = state.withLock { state in
            let before = state.values
            state.values.tighten(to: named)
            return (state.values, state.values == before ? [] : state.recorders)
        }
        for record in recorders { await record(values) }
    }
}
