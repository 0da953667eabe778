/// The increments that replicas have sent to the tables server, and whether the server has executed them. A row of a
/// table does not show this, so users who are asked whether an increment was executed look here.
struct SentIncrements: Sendable {
    private struct Sender: Hashable {
        let party: String
        let objectId: String
    }

    /// The outbox entry that each replica has sent last, by object.
    private var sent: [Sender: Int64] = [:]
    private var executed: [Sender: Set<Int64>] = [:]

    /// Records that a replica sends an outbox entry.
    mutating func noteSent(_ entryId: Int64, of objectId: String, by party: String) {
        sent[Sender(party: party, objectId: objectId)] = entryId
    }

    /// Records that a request of a replica has changed the counter of an object. The request belongs to the entry that
    /// the replica has sent last: a request for an earlier entry names an older version of the row, so the server
    /// refuses it.
    mutating func noteExecuted(of party: String, _ objectId: String) {
        let sender = Sender(party: party, objectId: objectId)
        if let entry = sent[sender] { executed[sender, default: []].insert(entry) }
    }

    /// Whether the server has executed the entry that the replica has sent last for the object.
    func isExecuted(of objectId: String, by party: String) -> Bool {
        let sender = Sender(party: party, objectId: objectId)
        return sent[sender].map { executed[sender]?.contains($0) == true } ?? false
    }
}
