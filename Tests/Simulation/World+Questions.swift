import LocalStore
import StoreService

/// Counts the users' answers to conflicts about the outcome of creates. The counts show the cost of a rule: the more
/// conflicts it opens, the fewer double objects there are, and the more users must decide.
extension World {
    /// Counts the answers that the users of the replicas have given, by answer.
    func countQuestions() throws {
        for replica in replicas {
            guard let store = replica.process?.store else { continue }
            for conflict in try store.decisions.conflicts(resolved: true, as: .master)
            where conflict.kind == .ambiguousCreate {
                trace.countQuestion(conflict.resolution ?? "open")
            }
        }
    }

    var questions: [String: Int] { trace.questions }
}
