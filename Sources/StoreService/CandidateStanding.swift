/// What the store knows about candidates: remote objects that a create of unknown outcome may have created.
package struct CandidateStanding: Sendable, Hashable {
    /// Ids of candidates that cannot be the object of the create: they belong to other local objects, or a decision
    /// has ruled them out.
    package let excluded: Set<String>
    /// Ids of remote objects that only a user's decision can adopt. An open conflict about another create shows the object as its
    /// candidate, or a resolved conflict about this create listed the object as a further candidate.
    package let asked: Set<String>
    /// Ids of candidates that a user's decision has ruled out.
    package let refused: Set<String>

    package init(excluded: Set<String>, asked: Set<String>, refused: Set<String>) {
        self.excluded = excluded
        self.asked = asked
        self.refused = refused
    }
}
