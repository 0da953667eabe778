import HTTPClient
import ParseModel
import RemoteService
import StoreService
import SyncEngine
import SyncModel

/// Deliberate bugs that the simulation must detect: plausible errors of the engine, and a network that is worse than
/// the engine is made for.
package enum Sabotage: String, Sendable, CaseIterable {
    /// A pull reads only changes since the start of the previous pull. It therefore misses writes with earlier
    /// timestamps that were committed after that start.
    case noOverlap
    /// A create without a clear answer is sent again without a read of the remote.
    case createResent
    /// An increment without a clear answer is sent again without a read of the remote.
    case incrementResent
    /// A transaction stores the cursor of a pull and marks the pull as complete. Only a later transaction stores the pulled rows.
    case cursorBeforeRows
    /// A list request that fails counts as an empty list.
    case failureIsEmpty
    /// A change that is in flight is not frozen: later local changes merge into it.
    case nothingFrozen
    /// When a pulled row changes an object with pending changes, the object and its pending changes are removed.
    case pullForgetsPending
    /// A change that the remote refuses is dropped without a rejection.
    case refusalDropped
    /// A local edit overwrites a remote edit of the same field without a conflict.
    case overwritesBlindly
    /// The grace period of a request without an answer starts when the request is sent, instead of when the sender
    /// gives up waiting.
    case graceFromBeginning
    /// After a request without an answer, the object's next change is sent without waiting for the grace period.
    case followsAtOnce
    /// Objects that are missing in a list are deleted at once, with their pending changes, even if the list is empty.
    case emptyListsBelieved
    /// The newest rows are never compared with the remote after their pull (`RecentAudit`).
    case noRecentAudit
    /// Of the objects whose relation contains a given member, only the first page is read.
    case ownersCutShort
    /// The remote's error code is dropped from a failed write, so repeated failures do not lead to a rejection.
    case failuresUnheard
    /// A refusal of the remote that is only temporary becomes a rejection at once.
    case temporaryRefusalFinal
    /// A write from an open form does not name the state of the object on which it is based.
    case formsUnnamed
    /// A new object that the remote has acknowledged, but does not show, counts as deleted.
    case unshownDropped
    /// After the remote was restored from a backup, replicas adopt older states and delete missing objects without a
    /// user's decision.
    case backupBelieved
    /// Updates are sent without pointer fields.
    case pointersDropped
    /// Updates are sent without relation fields.
    case relationsDropped
    /// Updates are sent without file fields.
    case filesDropped
    /// A conflict policy chooses the wrong side, and the conflict is recorded. The comparison with the ledger (the
    /// record of all users' writes) accepts recorded losses, so a separate check compares the winning side of each
    /// record with the policy.
    case policyReversed
    /// A conflict that requires a user's decision is settled at once for the remote side, and recorded.
    case questionsSkipped
    /// The changes of all authors are sent under the latest session of any user.
    case latestToken
    /// Changes of different authors merge: all changes count as those of the first author.
    case authorsCondensed
    /// If the remote refuses one user's session, the changes of all users wait.
    case oneRefusalPausesAll
    /// A session still reads objects after its log-out.
    case logOutReadsOn
    /// Objects of the class `Place` are read by id without the rights of the user, so an `include` shows objects that
    /// the user may not read.
    case includesUnfiltered
    /// Every user counts as a member of a role that the replica does not know.
    case unknownRoleHeld
    /// A password that the remote has refused still opens its user's data while the remote cannot be reached.
    case refusedPasswordKept
    /// A user whom the remote has locked out or deleted can still work.
    case lockOutIgnored
    /// The change feed does not report the objects that a user may no longer read.
    case lossesUnfed
    /// Each session opens the data of the user who has logged in last.
    case spaceOfAnother
    /// A sync of a user's data does not check the roles of the user, nor one object of each ACL that names roles.
    case rolesUnwatched
    /// No sync reads whole rows to find fields that the remote no longer shows.
    case fieldsUnwatched
    /// The objects of a class that the remote refuses to list stay visible.
    case refusedClassShown
    /// In a user's data, objects that the remote no longer shows stay visible if there are many of them.
    case heldShown
    /// No sync compares a part of the local objects with the remote (`SyncOptions.scrubBounds`).
    case scrubLeftOut
    /// A remote without conditional writes is treated as if it had them, so rows are not read before a push.
    case versionsAssumed
    /// The timers that repeat a failed sync before the next regular one never fire.
    case retriesForgotten
    /// Writes to a remote with row versions do not name the version on which they are based.
    case versionsForgotten
    /// The tombstones of a pull are ignored.
    case tombstonesIgnored
    /// A local deletion overrides a remote edit of the object without a conflict.
    case deletesBlindly
    /// In replicas that pull only some fields, a local edit overwrites a remote edit of the same field without a conflict.
    case partsOverwritten
    /// In runs in which outdated copies of the server answer reads, a local edit overwrites a remote edit of the same
    /// field without a conflict.
    case overwritesDuringLag
    /// In runs in which the remote loses creates, a local edit overwrites a remote edit of the same field without a
    /// conflict.
    case overwritesAfterLoss
    /// In a conflict between a local deletion and a remote edit, the policy chooses the wrong side. The conflict is recorded.
    case deletionPolicyReversed
    /// While a conflict about the outcome of a request is open, the policy chooses the wrong side for the fields of the
    /// same object.
    case policyReversedInQuestion
    /// In runs in which the remote is restored from backups, updates are sent without file fields.
    case filesDroppedAfterRestore
    /// Pulled rows are stored without file fields.
    case filesUnread
    /// A pointer is sent with the local id of its target, although the remote has given the target another id. The
    /// comparison with the ledger (the record of all users' writes) accepts such a pointer if the target is deleted.
    case pointersOutdated
    /// When a deleted object is created again, the first acknowledgement of the create is ignored, so that the create
    /// is sent twice.
    case recreateResent
    /// A deletion without a clear answer is dropped, and the object is shown again.
    case deletionsForgotten
    /// An update of several fields is sent with its last field only. The comparison with the ledger (the record of all
    /// users' writes) accepts the loss of a value if a later write has replaced it.
    case earlierFieldsDropped
    /// When a user decides to send a rejected change again, the change is dropped instead.
    case retriesGivenUp
    /// A deleted object is created again without its array `log` and its counter. The comparison with the ledger (the
    /// record of all users' writes) accepts that entries of other users are missing in `log`.
    case recreatedWithoutLog
    /// Writes to tables do not name the version that the row must have (`If-Match`).
    case conditionsDropped
    /// The pages of a pull from tables are requested by their offset (`$skip`), instead of by the last row of the
    /// previous page.
    case pagesSkipped
    /// The values in the tombstones of a table are ignored.
    case tombstonesBare
    /// A deleted object of a table is created again without its values.
    case undeletedBare
    /// An increment without a clear answer counts as executed if the row has the expected number.
    case equalTaken
    /// A row of a table is replaced without the columns that are no fields of an object.
    case columnsDropped
    /// After a failure, no request is sent for a while, even if the server is back.
    case circuitKept
    /// The log-in page of a public network counts as the answer to a forwarded call.
    case portalBelieved
    /// A file whose upload is refused because the session of its user has ended becomes a rejection. It should wait for the next log-in.
    case sessionEndRefusesFile
    /// Inner queries of pulls are sent to a server that cuts their results.
    case cutBelieved
    /// A change that the server refuses because of a rate limit becomes a rejection.
    case rateLimitFinal
    /// A change for the server or nowhere is sent again after a failure.
    case sentAgain
    /// A change that the server refuses counts as executed for the client that waits for it.
    case refusalConfirmed
    /// The changes that waited in a backup count as never sent.
    case restoredResent
    /// The network delivers late requests after the engine's grace period has ended. The engine is not made for such a
    /// network.
    case lateBeyondGrace

    /// The field that this bug omits from updates; nil for other bugs.
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

    /// The kind of run in which the bug can be detected.
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
        case .sentAgain, .refusalConfirmed: .once
        case .versionsForgotten, .tombstonesIgnored: .tables
        case .policyReversedInQuestion, .partsOverwritten, .deletionsForgotten: .haste
        case .conditionsDropped, .pagesSkipped, .tombstonesBare, .undeletedBare, .equalTaken, .columnsDropped: .datasync
        default: .usual
        }
    }

    /// The fault of the server's data that is needed to detect the bug; nil if none is needed.
    package var dataFault: DataFault? {
        switch self {
        case .unshownDropped, .overwritesAfterLoss: .lostCreates
        case .backupBelieved, .filesDroppedAfterRestore: .restoredBackup
        case .overwritesDuringLag: .laggingLists
        case .restoredResent: .restoredReplica
        default: nil
        }
    }

    /// The engine's rule for pulled rows of objects with pending changes (rebase), with this bug. Most bugs leave the
    /// rule unchanged.
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

    /// The rebase rule of a replica with these settings. Some bugs need a replica that pulls only some fields, or a
    /// server that has lost a create.
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
    /// Whether this is the copy of an object that `Pulled.settleDuringOutcomeConflict` passes to the rebase rule. The
    /// copy lacks the open conflict, and its other steps are still held. No other object has a held step without an
    /// open conflict.
    fileprivate var isInQuestion: Bool { conflict == nil && steps.contains { $0.step.phase == .held } }
}
