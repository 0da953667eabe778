import ParseModel
import RemoteService
import SyncModel

/// The state of the pushes of one sync. Pushes and file uploads alternate, and each push continues with this state.
struct PushProgress: Sendable {
    /// The number of entries that waited to be sent before the first push.
    let waitingAtStart: Int
    /// Of the latest push request: the ids of the entries that were clearly answered or not sent.
    var answered: Set<Int64>
    /// The ids of the entries that were tried in this sync. An entry is planned again in this sync only after its id is removed
    /// from this set.
    var tried: Set<Int64> = []
    /// By entry id, the number of rebases in this sync, after version conflicts and after creates by other clients.
    var versionConflicts: [Int64: Int] = [:]
    /// The number of consecutive batches whose connection broke or timed out.
    var interruptions = 0
    /// For objects that are created again: the old remote rows, which are marked as deleted.
    var markedRows: [Pointer: RemoteRecord] = [:]
    var opFields = OpFields()
    /// By class, the message with which the remote refused the keys for the class. Changes of these classes wait for the next sync.
    var refusedClasses: [String: String] = [:]
    /// The classes for which the remote has refused to tell whether it accepts chosen ids.
    var idProbesRefused: Set<String> = []
    /// By entry id, the uptime of the first temporary refusal.
    var refusedSince: [Int64: Duration]

    init(waitingAtStart: Int, answered: Set<Int64>, refusedSince: [Int64: Duration]) {
        self.waitingAtStart = waitingAtStart
        self.answered = answered
        self.refusedSince = refusedSince
    }

    /// The total for progress reports: `waitingAtStart`, or the number of tried entries if that is larger.
    var total: Int { max(waitingAtStart, tried.count) }
}
