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

    /// The field values that the remote stores.
    package enum Values: Sendable, Hashable {
        case any
        /// Neither arrays nor objects: the remote fails on them permanently.
        case scalars
    }

    /// The most rows requested in one page. A remote may give fewer.
    package var pageSize: Int
    /// A pull reports deletions. Otherwise the engine sweeps for them.
    package var hasTombstones: Bool
    /// A write can name the version that it is made for, and fails on any other one. Then the engine pushes the class before it pulls
    /// it; otherwise it reads an object just before it writes it.
    package var hasConditionalWrites: Bool
    /// An update can add the id of its operation to an array field of the object (`opField`).
    package var keepsOperationIds: Bool
    /// The remote counts objects. Otherwise the engine lists ids in order to find deletions.
    package var countsObjects: Bool
    package var chosenIds: ChosenIds
    /// A deleted object can exist again under its id.
    package var canUndelete: Bool
    package var values: Values
    /// No permission and no ACL hides objects from this gateway.
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
