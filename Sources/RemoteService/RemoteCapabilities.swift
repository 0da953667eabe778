/// What a remote offers beyond reading and writing single objects.
package struct RemoteCapabilities: Sendable, Hashable {
    /// In which form a change of an object goes to the remote.
    package enum WriteForm: Sendable, Hashable {
        /// Increment and array operations are carried out by the remote itself.
        case fieldOperations
        /// The fields that change, with their new values.
        case partialRow
        /// All fields.
        case wholeRow
    }

    /// Who gives an object its id.
    package enum ChosenIds: Sendable, Hashable {
        case always
        case never
        /// `RemoteService.acceptsChosenIds` tells.
        case dependsOnSettings
    }

    package enum Values: Sendable, Hashable {
        case any
        /// Neither arrays nor objects; a remote fails on them for ever.
        case scalars
    }

    /// The most operations that one push may carry; 1 where there are no batches.
    package var batchMax: Int
    /// The most rows asked for in one page; a remote may give fewer.
    package var pageSize: Int
    /// Deletions are told by the pull itself; otherwise the engine sweeps for them.
    package var hasTombstones: Bool
    /// A write can be made to fail where the object has changed meanwhile; otherwise the engine reads just before it writes.
    package var hasConditionalWrites: Bool
    package var writeForm: WriteForm
    package var chosenIds: ChosenIds
    /// A deleted object can be made live again under its id.
    package var canUndelete: Bool
    package var values: Values
    /// Permissions and ACLs keep nothing from us.
    package var seesEverything: Bool
    /// The query operators, such as `$gt`, that a pull's conditions may use; nil for all of Parse's.
    package var operators: Set<String>?

    package init(
        batchMax: Int, pageSize: Int, hasTombstones: Bool, hasConditionalWrites: Bool,
        writeForm: WriteForm = .fieldOperations, chosenIds: ChosenIds = .dependsOnSettings, canUndelete: Bool = false,
        values: Values = .any, seesEverything: Bool = false, operators: Set<String>? = nil
    ) {
        self.batchMax = batchMax
        self.pageSize = pageSize
        self.hasTombstones = hasTombstones
        self.hasConditionalWrites = hasConditionalWrites
        self.writeForm = writeForm
        self.chosenIds = chosenIds
        self.canUndelete = canUndelete
        self.values = values
        self.seesEverything = seesEverything
        self.operators = operators
    }
}
