import ParseModel
import StoreService

extension LostUpdates {
    /// The values of the fields `a` and `b` in the replicas' conflict records.
    struct Records: Sendable {
        /// All values of the fields `a` and `b` in the local, remote and base states of all records.
        private(set) var mentioned: Set<Ledger.Mention> = []
        /// The base and remote values that a local write or deletion has replaced according to conflict records, by
        /// write and field.
        private(set) var replaced: [Ledger.Mention: [String: [String]]] = [:]

        mutating func add(_ conflict: ListedConflict, of party: String) {
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

        /// The local write or deletion in a conflict record that concerns a field, in the form of `Mention.what`; nil
        /// if the record has neither.
        private static func change(
            in conflict: ListedConflict, _ local: JSONObject?, _ field: String
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
