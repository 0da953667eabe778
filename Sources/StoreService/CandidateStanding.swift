/// Which of the remote's objects a create of unknown outcome may have made, by the knowledge about them here.
package struct CandidateStanding: Sendable, Hashable {
    /// They are other objects here, or a person has said so.
    package let excluded: Set<String>
    /// Questions about other creates, or an earlier one about this create, name them too: they prove nothing by themselves.
    package let asked: Set<String>
    /// A person has said that they are other objects.
    package let refused: Set<String>

    package init(excluded: Set<String>, asked: Set<String>, refused: Set<String>) {
        self.excluded = excluded
        self.asked = asked
        self.refused = refused
    }
}
