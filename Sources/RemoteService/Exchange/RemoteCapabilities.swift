/// The abilities of a remote for one class. They may differ between the classes of one remote.
package struct RemoteCapabilities: Sendable, Hashable {
    /// Which side chooses the ids of new objects.
    package enum ChosenIds: Sendable, Hashable {
        /// A create may always name its own id.
        case always
        /// The remote chooses each id.
        case never
        /// A setting of the remote decides whether a create may name its own id. `RemoteService.acceptsChosenIds` tests this.
        case dependsOnSettings
    }

    /// How a request leaves its operation id (the id of the change) in the `opField` of its object.
    package enum OperationIdForm: Sendable, Hashable {
        /// No request leaves an id.
        case none
        /// A create or update adds its id to an array field. The ids of other requests stay.
        case list
        /// An update sets a text field to its id. The id of a later request replaces it.
        case text
    }

    /// The field values that the remote can store.
    package enum Values: Sendable, Hashable {
        case any
        /// Texts, numbers and booleans. A `ClassMapping` converts values of some other types to texts.
        /// `RemoteService.refusal` names the values that the remote always fails to store.
        case scalars
    }

    /// The maximum number of rows requested in one page. A remote may return fewer.
    package var pageSize: Int
    /// Whether a pull reports deletions. Otherwise the engine compares the local objects with the remote ones to find
    /// deletions.
    package var hasTombstones: Bool
    /// Whether a write can name a version of the row and fails if the row has another version. The engine then pushes a class
    /// before pulling the class. Otherwise, the engine reads each object just before writing the object.
    package var hasConditionalWrites: Bool
    package var operationIds: OperationIdForm
    /// Whether the remote can count objects. Otherwise the engine lists ids to find deletions.
    package var countsObjects: Bool
    package var chosenIds: ChosenIds
    /// Whether a deleted object can be restored under its id.
    package var canUndelete: Bool
    package var values: Values
    /// Whether a count takes no request of its own if it is requested together with a page. Otherwise, in a class with
    /// tombstones, the engine requests a count only if it needs one.
    package var countsWithPages: Bool
    /// Whether rows have a creation time. If not, lists and counts by ranges of creation times are refused.
    package var hasCreationTimes: Bool
    /// Whether this gateway can read every object, independently of permissions and ACLs.
    package var seesEverything: Bool
    /// The query operators, such as `$gt`, that the conditions of a pull may use; nil if all of Parse's operators are allowed.
    package var operators: Set<String>?

    package init(
        pageSize: Int, hasTombstones: Bool, hasConditionalWrites: Bool, operationIds: OperationIdForm,
        countsObjects: Bool = true, countsWithPages: Bool = true, hasCreationTimes: Bool = true,
        chosenIds: ChosenIds = .dependsOnSettings,
        canUndelete: Bool = false, values: Values = .any, seesEverything: Bool = false, operators: Set<String>? = nil
    ) {
        self.pageSize = pageSize
        self.hasTombstones = hasTombstones
        self.hasConditionalWrites = hasConditionalWrites
        self.operationIds = operationIds
        self.countsObjects = countsObjects
        self.countsWithPages = countsWithPages
        self.hasCreationTimes = hasCreationTimes
        self.chosenIds = chosenIds
        self.canUndelete = canUndelete
        self.values = values
        self.seesEverything = seesEverything
        self.operators = operators
    }
}
