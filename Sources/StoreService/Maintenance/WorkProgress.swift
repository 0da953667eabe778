/// How far long work is, for the person who waits for it.
package struct WorkProgress: Sendable, Hashable {
    package enum Unit: Sendable, Hashable { case bytes, objects, files }

    /// What runs: `Copying the objects`.
    package var step: String
    package var unit: Unit
    /// The amount of the step that is done; nil if the step cannot be measured.
    package var done: Int?
    /// The amount of the whole step; nil if it is unknown.
    package var total: Int?
    /// The part of all steps that is done, from 0 to 1; nil if it is unknown.
    package var part: Double?

    package init(
        step: String, unit: Unit = .bytes, done: Int? = nil, total: Int? = nil, part: Double? = nil
    ) {
        (self.step, self.unit, self.done, self.total, self.part) = (step, unit, done, total, part)
    }
}
