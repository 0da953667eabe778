import ParseModel
import RemoteService
import SyncModel

/// The reading of relations, which may take several syncs.
struct RelationReading: Sendable {
    /// The server time at which it began. A relation that was read since then is done.
    let began: ParseDate
    var survey: RelationSurvey?
    /// How many relations have been read.
    var done = 0
    private var unsurveyable: Set<RelationField> = []
    private var postponed: Set<RelationField> = []

    init(began: ParseDate) { self.began = began }

    /// Whether the column can only be read object by object: the members' class may not be listed, or has too many objects.
    func isUnsurveyable(_ column: RelationField) -> Bool { unsurveyable.contains(column) }
    mutating func noteUnsurveyable(_ column: RelationField) { unsurveyable.insert(column) }

    /// Whether the column waits for a later reading, because the remote's answer about it is unusable.
    func isPostponed(_ column: RelationField) -> Bool { postponed.contains(column) }
    mutating func postpone(_ column: RelationField) { postponed.insert(column) }
}
