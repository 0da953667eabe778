import HTTPClient
import ParseModel
import RemoteService
import StoreService
import SyncEngine
import SyncModel

/// Deliberate breaks: plausible bugs of the engine, and a network beyond the engine's limits. The simulation must detect each
/// break.
package enum Sabotage: String, Sendable, CaseIterable {
    /// A pull reads only changes since the start of the previous pull, without an overlap. The pull misses writes that were
    /// committed late, with earlier timestamps.
    case noOverlap
    /// A create of unknown outcome is sent again without a read of the remote.
    case createResent
    /// An increment of unknown outcome is sent again without a read of the remote.
    case incrementResent
    /// A transaction stores the cursor of a pull and marks the pull as complete. Only a later transaction stores the pulled rows.
    case cursorBeforeRows
    /// A list request that fails counts as an empty list.
    case failureIsEmpty
    /// An in-flight step is not frozen, so later work is merged into it.
    case nothingFrozen
    /// When a pulled row changes an object with pending work, the object and the pending work are removed.
    case pullForgetsPending
    /// A change that the remote refuses is dropped without a rejection.
    case refusalDropped
    /// A local edit overwrites a remote edit of the same field without a conflict.
    case overwritesBlindly
    /// The grace period of an interrupted request starts when the request is sent, and not when the sender gives up the request.
    case graceFromBeginning
    /// After an interrupted request, the next step of the object is sent without waiting for the grace period.
    case followsAtOnce
    /// Objects that are missing in a list are deleted at once, with their pending work, even if the list is empty.
    case emptyListsBelieved
    /// The newest rows are never audited against the remote.
    case noRecentAudit
    /// Of the objects whose relation contains a given member, only the first page is read.
    case ownersCutShort
    /// The remote's error code is dropped from a failed write, so repeated failures do not lead to a rejection.
    case failuresUnheard
    /// A refusal that a later attempt can pass becomes a rejection at once.
    case temporaryRefusalFinal
    /// A write from an open form does not name the state on which the write is based.
    case formsUnnamed
    /// A new object that the remote has acknowledged, but does not show, counts as deleted.
    case unshownDropped
    /// After the remote is restored from a backup, replicas take over older states and delete missing objects without a decision.
    case backupBelieved
    /// Updates are sent without pointer fields.
    case pointersDropped
    /// Updates are sent without relation fields.
    case relationsDropped
    /// Updates are sent without file fields.
    case filesDropped
    /// A conflict policy chooses the wrong side, and the conflict is recorded. The ledger check accepts recorded losses, so a
    /// separate check compares the winning side of each record with the policy.
    case policyReversed
    /// A conflict that requires a user's decision is settled at once for the remote side, and recorded.
    case questionsSkipped
    /// The changes of each author are sent under the latest session of any user.
    case latestToken
    /// Changes of different authors are condensed: all changes count as those of the first author.
    case authorsCondensed
    /// One refused session pauses the changes of all users.
    case oneRefusalPausesAll
    /// A session that is logged out goes on reading.
    case logOutReadsOn
    /// Objects of the class `Place` are read by their id without the rights of the user: an include shows them past the filter.
    case includesUnfiltered
    /// A role that the replica does not know counts as held by each user.
    case unknownRoleHeld
    /// A password that the remote has refused goes on opening the data of its user without the remote.
    case refusedPasswordKept
    /// A user whom the remote has locked out or deleted goes on working.
    case lockOutIgnored
    /// The change feed leaves out the objects that a user loses.
    case lossesUnfed
    /// A session opens the data of the user who has logged in last.
    case spaceOfAnother
    /// A sync of a user's data asks neither for the roles of the user nor for an object of each ACL that names roles.
    case rolesUnwatched
    /// No sync reads whole rows to find fields that the remote has ceased to show.
    case fieldsUnwatched
    /// The objects of a class that the remote refuses to list stay visible.
    case refusedClassShown
    /// Objects of a user's data that the remote has ceased to show stay visible if they are many.
    case heldShown
    /// No sync compares a part of the kept objects with the remote.
    case scrubLeftOut
    /// A remote without conditional writes is treated as if it had them, so no row is read before a push.
    case versionsAssumed
    /// The timers that repeat a failed sync before the sync interval ends never fire.
    case retriesForgotten
    /// Writes to a remote with versions omit the version on which the write is based.
    case versionsForgotten
    /// The tombstones of a pull are ignored.
    case tombstonesIgnored
    /// A local deletion overrides a remote edit of the object without a conflict.
    case deletesBlindly
    /// In replicas that pull only some fields, a local edit overwrites a remote edit of the same field without a conflict.
    case partsOverwritten
    /// A local edit overwrites a remote edit of the same field without a conflict, in runs in which lagging copies answer reads.
    case overwritesDuringLag
    /// After the remote has lost a create, a local edit overwrites a remote edit of the same field without a conflict.
    case overwritesAfterLoss
    /// In a conflict between a local deletion and a remote edit, the policy chooses the wrong side. The conflict is recorded.
    case deletionPolicyReversed
    /// While a conflict about the outcome of a request is open, the policy chooses the wrong side in conflicts about the object's
    /// fields.
    case policyReversedInQuestion
    /// Updates are sent without file fields, in runs in which the remote is restored from backups.
    case filesDroppedAfterRestore
    /// Pulled rows are stored without file fields.
    case filesUnread
    /// A pointer is sent with the local id of its target, although the remote has given the target another id. The ledger check
    /// accepts such a pointer if the target is deleted.
    case pointersOutdated
    /// When a deleted object is created again, the first acknowledgement of the create is ignored, so the create is sent twice.
    case recreateResent
    /// A deletion of unknown outcome is dropped, and the object is shown again.
    case deletionsForgotten
    /// An update of several fields is sent with its last field alone. The ledger check accepts the loss of a value if a later
    /// write of the same field replaced the value.
    case earlierFieldsDropped
    /// When a user decides to send a rejected change again, the change is given up.
    case retriesGivenUp
    /// A deleted object is created again without its log and count. The ledger check accepts the loss of other parties' marks.
    case recreatedWithoutLog
    /// Writes to tables omit the version that the row must have (`If-Match`).
    case conditionsDropped
    /// The pages of a pull from tables are read by their position (`$skip`), and not by the last row of the page before.
    case pagesSkipped
    /// The values in the rows of tombstones are ignored.
    case tombstonesBare
    /// A deleted object of a table is created again without its values.
    case undeletedBare
    /// An increment of unknown outcome counts as applied if the row holds the expected number.
    case equalTaken
    /// The row of a table is replaced without the columns that no object has.
    case columnsDropped
    /// After a failure, no request is sent for a while, although the server may be back.
    case circuitKept
    /// The page of a captive portal counts as the answer to a forwarded call.
    case portalBelieved
    /// A file whose upload is refused because the session of its user has ended becomes a rejection. It should wait for the next log-in.
    case sessionEndRefusesFile
    /// Inner queries of pulls are sent to a server that cuts their results.
    case cutBelieved
    /// A change that the server refuses for a rate limit becomes a rejection.
    case rateLimitFinal
    /// The network delivers delayed requests after the engine's grace period. The engine is not made for such a network.
    case lateBeyondGrace

    /// The field that this break omits from updates; nil for other breaks.
    var droppedField: String? {
        switch self {
        case .pointersDropped: ServerHistory.pointerField
        case .relationsDropped: ServerHistory.relationField
        case .filesDropped, .filesDroppedAfterRestore: ServerHistory.fileField
        default: nil
        }
    }

    var options: SyncOptions {
        var options = SyncOptions()
        if self == .noOverlap { options.overlap = .zero }
        if self == .cutBelieved { options.innerQueryValuesMax = -1 }
        return options
    }

    /// The kind of run that reveals the break.
    package var kind: SeedKind {
        switch self {
        case .noRecentAudit: .lateCommits
        case .ownersCutShort, .relationsDropped: .relations
        case .failuresUnheard: .failingWrites
        case .temporaryRefusalFinal: .refusals
        case .cutBelieved, .rateLimitFinal: .strict
        case .formsUnnamed: .openForms
        case .followsAtOnce, .graceFromBeginning: .haste
        case .cursorBeforeRows: .crashes
        case .latestToken, .authorsCondensed, .oneRefusalPausesAll: .site
        case .logOutReadsOn, .includesUnfiltered, .unknownRoleHeld, .refusedPasswordKept, .spaceOfAnother: .people
        case .lockOutIgnored, .lossesUnfed, .circuitKept, .portalBelieved,
            .sessionEndRefusesFile:
            .people
        case .rolesUnwatched, .fieldsUnwatched, .refusedClassShown, .heldShown, .scrubLeftOut: .people
        case .retriesForgotten: .timers
        case .versionsForgotten, .tombstonesIgnored: .tables
        case .policyReversedInQuestion, .partsOverwritten, .deletionsForgotten: .haste
        case .conditionsDropped, .pagesSkipped, .tombstonesBare, .undeletedBare, .equalTaken, .columnsDropped: .datasync
        default: .usual
        }
    }

    /// The data fault that reveals the break; nil if none is needed.
    package var dataFault: DataFault? {
        switch self {
        case .unshownDropped, .overwritesAfterLoss: .lostCreates
        case .backupBelieved, .filesDroppedAfterRestore: .restoredBackup
        case .overwritesDuringLag: .laggingLists
        default: nil
        }
    }

    /// The engine's rebase rule with this break. Most breaks leave the rule unchanged.
    var rebase: RebaseRules.Rebase {
        let decide = RebaseRules.decide
        switch self {
        case .pullForgetsPending: return { life, row, context in row == nil ? decide(life, row, context) : .remove }
        case .emptyListsBelieved: return { life, row, context in row == nil ? .remove : decide(life, row, context) }
        case .unshownDropped:
            return { life, row, context in row == nil && life.isUnshown ? .remove : decide(life, row, context) }
        case .overwritesBlindly, .partsOverwritten, .overwritesDuringLag, .overwritesAfterLoss:
            return { life, row, context in
                switch decide(life, row, context) {
                case .settle(.fields, _, _), .openConflict(.fields, _): .replay
                case let action: action
                }
            }
        case .deletesBlindly:
            return { life, row, context in
                switch decide(life, row, context) {
                case .settle(.deletedLocally, _, _), .openConflict(.deletedLocally, _): .replay
                case let action: action
                }
            }
        case .policyReversedInQuestion:
            return { life, row, context in
                let action = decide(life, row, context)
                guard life.isInQuestion else { return action }
                return switch action {
                case .settle(let kind, let fields, .remote): .settle(kind, fields: fields, by: .local)
                case .settle(.fields, let fields, .local), .openConflict(.fields, let fields):
                    .settle(.fields, fields: fields, by: .remote)
                default: action
                }
            }
        case .policyReversed, .deletionPolicyReversed:
            return { [self] life, row, context in
                let action = decide(life, row, context)
                guard case .settle(let kind, let fields, let side) = action,
                    self == .policyReversed || kind == .deletedLocally
                else { return action }
                return .settle(kind, fields: fields, by: side == .local ? .remote : .local)
            }
        case .questionsSkipped:
            return { life, row, context in
                let action = decide(life, row, context)
                guard case .openConflict(let kind, let fields) = action else { return action }
                return .settle(kind, fields: fields, by: .remote)
            }
        default: return decide
        }
    }

    /// The rebase rule of a replica with these settings. Some breaks need a replica with `keys`, or a create lost by the server.
    func rebase(at settings: ClassSettings, _ server: SimulatedServer) -> RebaseRules.Rebase {
        let (decide, broken) = (RebaseRules.decide, rebase)
        switch self {
        case .partsOverwritten: return settings.keys == nil ? decide : broken
        case .overwritesAfterLoss:
            return { life, row, context in
                let hasLost = server.history.withLock { $0.hasLostCreate }
                return hasLost ? broken(life, row, context) : decide(life, row, context)
            }
        default: return broken
        }
    }

    func store(_ store: any SyncStore) -> any SyncStore { SabotagedStore(store: store, sabotage: self) }

    func transport(_ transport: any HTTPTransport) -> any HTTPTransport { SabotagedTransport(transport, self) }

    func remote(_ remote: any RemoteService) -> any RemoteService {
        SabotagedRemote(remote: remote, sabotage: self)
    }
}

extension ObjectLife {
    /// Whether this life is the copy that `Pulled.settleDuringOutcomeConflict` passes to the rebase rule. The copy lacks the open
    /// conflict, and its other steps are still held. No other life has a held step and no open conflict.
    fileprivate var isInQuestion: Bool { conflict == nil && steps.contains { $0.step.phase == .held } }
}
