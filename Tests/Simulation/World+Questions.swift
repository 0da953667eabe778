import LocalStore
import StoreService

/// Counts the conflicts about creates in a run. A rule that opens more of them prevents double objects, and costs users more
/// decisions.
extension World {
    /// Counts the questions that the users of the replicas have answered, by their decision.
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
