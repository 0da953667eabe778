/// The major version of Parse Server whose answers a standalone gateway gives.
package enum Compatibility: String, Sendable, CaseIterable {
    case seven = "7"
    case nine = "9"
}
