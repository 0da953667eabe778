import ParseModel
import RemoteService
import SyncModel

/// The state of all pushes of one sync. Pushes and file uploads alternate, and each push continues with this state.
struct PushProgress: Sendable {
    /// The number of entries that waited to be sent before the first push.
    let waitingAtStart: Int
    /// The ids of the entries for which the latest push request got a clear answer, or which it did not send.
    var answered: Set<Int64>
    /// The ids of the entries that were tried in this sync. An entry is planned again in this sync only after its id is removed
    /// from this set.
    var tried: Set<Int64> = []
    /// By entry id, the number of times in this sync that the change was applied to a newer remote row, after a version
    /// conflict or after another client had created the object.
    var versionConflicts: [Int64: Int] = [:]
    /// The number of consecutive batches whose connection broke or timed out.
    var interruptions = 0
    /// For objects that are created again: the old remote rows, which are marked as deleted.
    var markedRows: [Pointer: RemoteRecord] = [:]
    var opFields = OpFields()
    /// By class, the message with which the remote refused the keys for this class. Changes of the class wait for the
    /// next sync.
    var refusedClasses: [String: String] = [:]
    /// The classes for which the remote has refused the probe request that tests whether creates may choose their ids.
    var idProbesRefused: Set<String> = []
    /// By entry id, the uptime of the first temporary refusal.
    var refusedSince: [Int64: Duration]

    init(waitingAtStart: Int, answered: Set<Int64>, refusedSince: [Int64: Duration]) {
        self.waitingAtStart = waitingAtStart
        self.answered = answered
        self.refusedSince = refusedSince
    }

    /// The total number of entries for progress reports: `waitingAtStart`, or the number of tried entries if that is
    /// larger.
    var total: Int { max(waitingAtStart, tried.count) }
}
