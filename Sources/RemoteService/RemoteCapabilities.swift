/// The abilities of a remote for one class. Two classes of one remote may differ.
package struct RemoteCapabilities: Sendable, Hashable {
    /// The origin of the ids of new objects.
    package enum ChosenIds: Sendable, Hashable {
        /// A create may always name its id.
        case always
        /// The remote chooses each id.
        case never
        /// `RemoteService.acceptsChosenIds` decides.
        case dependsOnSettings
    }

    /// The field values that the remote can store.
    package enum Values: Sendable, Hashable {
        case any
        /// No arrays and no objects: the remote fails on them permanently.
        case scalars
    }

    /// The maximum number of rows in one page. A remote may return fewer.
    package var pageSize: Int
    /// Whether a pull reports deletions. Otherwise the engine sweeps for them.
    package var hasTombstones: Bool
    /// Whether a write can require a version of the row, and fails on any other version. The engine then pushes a class before it
    /// pulls it; otherwise it reads an object just before it writes it.
    package var hasConditionalWrites: Bool
    /// Whether an update can add its operation id to an array field of the object (`opField`).
    package var keepsOperationIds: Bool
    /// Whether the remote counts objects. Otherwise the engine lists ids in order to find deletions.
    package var countsObjects: Bool
    package var chosenIds: ChosenIds
    /// Whether a deleted object can be restored under its id.
    package var canUndelete: Bool
    package var values: Values
    /// Whether this gateway sees all objects, regardless of permissions and ACLs.
    package var seesEverything: Bool
    /// The query operators, such as `$gt`, that the conditions of a pull may use; nil for all of Parse's.
    package var operators: Set<String>?

    package init(
        pageSize: Int, hasTombstones: Bool, hasConditionalWrites: Bool, keepsOperationIds: Bool,
        countsObjects: Bool = true, chosenIds: ChosenIds = .dependsOnSettings, canUndelete: Bool = false,
        values: Values = .any, seesEverything: Bool = false, operators: Set<String>? = nil
    ) {
        self.pageSize = pageSize
        self.hasTombstones = hasTombstones
        self.hasConditionalWrites = hasConditionalWrites
        self.keepsOperationIds = keepsOperationIds
        self.countsObjects = countsObjects
        self.chosenIds = chosenIds
        self.canUndelete = canUndelete
        self.values = values
        self.seesEverything = seesEverything
        self.operators = operators
    }
}
