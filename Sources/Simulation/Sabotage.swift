import ParseModel
import RemoteService
import StoreService
import SyncEngine
import SyncModel

/// Deliberate breaks of the engine, each a mistake that somebody could make. A run with one of them has to be found out,
/// or the checks that every other run passes would prove nothing.
package enum Sabotage: String, Sendable, CaseIterable {
    /// A pull begins where the last one ended, though the server stamps a write before it commits it.
    case noOverlap
    /// A create whose reply was lost is sent again as if it had not been sent.
    case createResent
    /// The same with an increment.
    case incrementResent
    /// A pull counts as complete, and its cursor is moved, in a transaction before that of the rows.
    case cursorBeforeRows
    /// A list that failed is taken for an empty one.
    case failureIsEmpty
    /// What is on its way is not frozen, so that later work merges into it.
    case nothingFrozen
    /// A pulled row replaces what waits to be sent.
    case pullForgetsPending
    /// What the remote refuses is dropped without a word.
    case refusalDropped
    /// Another device's edit of the same field is overwritten as if it had not been seen.
    case overwritesBlindly
    /// The wait for a request that may still arrive begins when it was sent, not when its answer was given up.
    case graceFromBeginning
    /// What follows a request that got no answer goes out at once.
    case followsAtOnce
    /// What an empty list does not show is gone at once, however much that is, and with it the work on it.
    case emptyListsBelieved
    /// The newest rows are never compared with the remote.
    case noRecentAudit
    /// A list of owners ends with its first page.
    case ownersCutShort
    /// Failures of the remote on a change are not recorded.
    case failuresUnheard
    /// A change of an object as it was a while ago does not say so.
    case formsUnnamed
    /// A create that the remote has acknowledged and does not show is taken for deleted.
    case unshownDropped
    /// Losses and older states of a restored backup are taken over.
    case backupBelieved
    /// Pointers are left out of the updates that are sent.
    case pointersDropped
    /// Changes of relations are left out of the updates that are sent.
    case relationsDropped
    /// Files are left out of the updates that are sent.
    case filesDropped
    /// A policy decides for the other side, and records that. The audit excuses what a record of a policy shows as given up.
    case policyReversed
    /// A conflict that a person has to decide is decided for the remote, and recorded so.
    case questionsSkipped
    /// A remote without versions is taken for one that refuses to overwrite: nothing is read before a push. The audit excuses
    /// the overwriting of what arrived after the last look.
    case versionsAssumed
    /// No sync follows by itself on one that failed.
    case retriesForgotten
    /// A remote with versions gets writes without the version that they were made on.
    case versionsForgotten
    /// The tombstones of a pull are passed over.
    case tombstonesIgnored
    /// The network delivers requests later than the engine waits for them: no mistake, but beyond what it can bear.
    case lateBeyondGrace

    /// The field that updates are sent without.
    var droppedField: String? {
        switch self {
        case .pointersDropped: ServerHistory.pointerField
        case .relationsDropped: ServerHistory.relationField
        case .filesDropped: ServerHistory.fileField
        default: nil
        }
    }

    var options: SyncOptions {
        var options = SyncOptions()
        if self == .noOverlap { options.overlap = .zero }
        return options
    }

    /// The kind of run in which the break shows.
    package var kind: SeedKind {
        switch self {
        case .noRecentAudit: .lateCommits
        case .ownersCutShort, .relationsDropped: .relations
        case .failuresUnheard: .failingWrites
        case .formsUnnamed: .openForms
        case .followsAtOnce, .graceFromBeginning: .haste
        case .cursorBeforeRows: .crashes
        case .retriesForgotten: .timers
        case .versionsForgotten, .tombstonesIgnored: .tables
        default: .usual
        }
    }

    /// The data fault under which the break shows; nil where it needs none.
    package var dataFault: DataFault? {
        switch self {
        case .unshownDropped: .lostCreates
        case .backupBelieved: .restoredBackup
        default: nil
        }
    }

    /// The rule for pending work under changed rows.
    var rebase: RebaseRules.Rebase {
        let decide = RebaseRules.decide
        switch self {
        case .pullForgetsPending: return { life, row, context in row == nil ? decide(life, row, context) : .remove }
        case .emptyListsBelieved: return { life, row, context in row == nil ? .remove : decide(life, row, context) }
        case .unshownDropped:
            return { life, row, context in row == nil && life.isUnshown ? .remove : decide(life, row, context) }
        case .overwritesBlindly:
            return { life, row, context in
                switch decide(life, row, context) {
                case .settle(.fields, _, _), .openConflict(.fields, _): .replay
                case let action: action
                }
            }
        case .policyReversed:
            return { life, row, context in
                let action = decide(life, row, context)
                guard case .settle(let kind, let fields, let side) = action else { return action }
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

    func store(_ store: any SyncStore) -> any SyncStore { SabotagedStore(store: store, sabotage: self) }

    func remote(_ remote: any RemoteService) -> any RemoteService {
        SabotagedRemote(remote: remote, sabotage: self)
    }
}
