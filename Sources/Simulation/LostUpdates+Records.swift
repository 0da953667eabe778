import LocalStore
import ParseModel

extension LostUpdates {
    /// What the records of the replicas' conflicts show.
    struct Records: Sendable {
        /// Every value.
        private(set) var mentioned: Set<Ledger.Mention> = []
        /// The values that stood in place of one that was written, or went with a deletion, by field.
        private(set) var replaced: [Ledger.Mention: [String: [String]]] = [:]

        mutating func add(_ conflict: LocalStore.Conflict, of party: String) {
            let local = Self.read(conflict.local)
            let others = [conflict.base, conflict.remote].compactMap(Self.read)
            let known = [local].compactMap { $0 } + others
            guard let title = known.lazy.compactMap({ $0["title"]?.string }).first else { return }
            for field in ServerHistory.setFields {
                for value in known.compactMap({ $0[field]?.string }) {
                    mentioned.insert(Ledger.Mention(party: party, title: title, what: "\(field)=\(value)"))
                }
                guard let by = Self.change(in: conflict, local, field) else { continue }
                let mention = Ledger.Mention(party: party, title: title, what: by)
                replaced[mention, default: [:]][field, default: []] += others.compactMap { $0[field]?.string }
            }
        }

        /// What a conflict tells of a field; nil where it is about something else.
        private static func change(
            in conflict: LocalStore.Conflict, _ local: JSONObject?, _ field: String
        ) -> String? {
            switch conflict.kind {
            case .fields where conflict.fields.contains(field): local?[field]?.string.map { "\(field)=\($0)" }
            case .deletedLocally: "deletion"
            default: nil
            }
        }

        private static func read(_ text: String?) -> JSONObject? {
            text.flatMap { try? JSONReader.read($0) }?.object
        }
    }
}
