import ParseModel
import RemoteService
import SyncModel

/// The progress of a sync's pushes. Pushes and file uploads alternate, and each push continues here.
struct PushProgress: Sendable {
    /// The number of pending entries before the first push.
    let waitingAtStart: Int
    /// The answered entries of the latest request.
    var answered: Set<Int64>
    /// The entries that have been sent. Each is sent once per sync, unless it is planned again.
    var tried: Set<Int64> = []
    /// The number of version conflicts, by entry.
    var versionConflicts: [Int64: Int] = [:]
    /// The number of consecutive requests with a broken connection.
    var interruptions = 0
    /// Remote rows marked as deleted, of objects that are recreated.
    var markedRows: [Pointer: RemoteRecord] = [:]
    var opFields = OpFields()

    init(waitingAtStart: Int, answered: Set<Int64>) {
        self.waitingAtStart = waitingAtStart
        self.answered = answered
    }

    /// The number of entries to send, including new ones since the start.
    var total: Int { max(waitingAtStart, tried.count) }
}
