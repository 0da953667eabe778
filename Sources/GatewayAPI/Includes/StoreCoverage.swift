/// Whether a store has all objects of the application, or only those of some classes.
enum StoreCoverage: Sendable {
    /// The store has all objects, and the config.
    case everything
    /// The store has the objects of the classes that a replica keeps.
    case keptClasses
}
