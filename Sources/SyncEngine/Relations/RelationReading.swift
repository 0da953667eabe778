import ParseModel
import RemoteService
import SyncModel

/// The progress of reading relations, which may take several syncs.
struct RelationReading: Sendable {
    /// The server time at which the reading began. A relation that was read since then is done.
    let began: ParseDate
    var survey: RelationSurvey?
    /// The number of relations read.
    var done = 0
    private var unsurveyable: Set<RelationField> = []
    private var postponed: Set<RelationField> = []

    init(began: ParseDate) { self.began = began }

    /// Whether the column can only be read object by object, because the member class is too large or must not be listed.
    func isUnsurveyable(_ column: RelationField) -> Bool { unsurveyable.contains(column) }
    mutating func noteUnsurveyable(_ column: RelationField) { unsurveyable.insert(column) }

    /// Whether the column waits for a later reading, because the remote gave an unusable answer.
    func isPostponed(_ column: RelationField) -> Bool { postponed.contains(column) }
    mutating func postpone(_ column: RelationField) { postponed.insert(column) }
}
