/// The known facts about the candidates for a create of unknown outcome.
package struct CandidateStanding: Sendable, Hashable {
    /// Candidates that are known or decided to be other objects.
    package let excluded: Set<String>
    /// Candidates that conflicts about other creates, or an earlier conflict about this one, name too. They prove nothing alone.
    package let asked: Set<String>
    /// Candidates that a decision has ruled out.
    package let refused: Set<String>

    package init(excluded: Set<String>, asked: Set<String>, refused: Set<String>) {
        self.excluded = excluded
        self.asked = asked
        self.refused = refused
    }
}
