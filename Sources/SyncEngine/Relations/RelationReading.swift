import ParseModel
import RemoteService
import SyncModel

/// The progress of reading relations, which may span several syncs.
struct RelationReading: Sendable {
    /// The server time at which the reading began. A relation that was read at this time or later is not read again.
    let began: ParseDate
    /// The `RelationSurvey` of one relation field, until its results are stored or the survey is given up; nil for none.
    var survey: RelationSurvey?
    /// The number of relations read so far.
    var done = 0
    private var unsurveyable: Set<RelationField> = []
    private var postponed: Set<RelationField> = []

    init(began: ParseDate) { self.began = began }

    /// Whether the relations of the field must be read object by object, because a survey takes too many requests or too much
    /// memory, or because the remote refused one of its queries.
    func isUnsurveyable(_ column: RelationField) -> Bool { unsurveyable.contains(column) }
    mutating func noteUnsurveyable(_ column: RelationField) { unsurveyable.insert(column) }

    /// Whether the survey of the field failed with an unusable answer. The remaining relations of this field then wait
    /// for the next regular sync.
    func isPostponed(_ column: RelationField) -> Bool { postponed.contains(column) }
    mutating func postpone(_ column: RelationField) { postponed.insert(column) }
}
