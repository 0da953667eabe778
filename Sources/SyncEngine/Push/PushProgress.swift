import ParseModel
import RemoteService
import SyncModel

/// How far the pushes of one sync have come. Pushes and uploads of files take turns, and each push goes on from here.
struct PushProgress: Sendable {
    /// How many entries waited before the first push.
    let waitingAtStart: Int
    /// The entries of the latest request that were answered.
    var answered: Set<Int64>
    /// The entries that have been sent. Each has one try a sync, unless it is planned anew.
    var tried: Set<Int64> = []
    /// How often the remote had another version of the row, by entry.
    var versionConflicts: [Int64: Int] = [:]
    /// The latest requests in a row whose connection broke.
    var interruptions = 0
    /// Rows that are only marked as deleted on the remote, of objects that are made again here.
    var markedRows: [Pointer: RemoteRecord] = [:]
    var opFields = OpFields()

    init(waitingAtStart: Int, answered: Set<Int64>) {
        self.waitingAtStart = waitingAtStart
        self.answered = answered
    }

    /// How many entries there are to send, with those that were made since the start.
    var total: Int { max(waitingAtStart, tried.count) }
}
