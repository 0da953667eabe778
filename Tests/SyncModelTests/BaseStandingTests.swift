import ParseModel
import SyncModelSupport
import Testing

@testable import SyncModel

/// Tests whether the remote's lists must contain an object (`BaseStanding`) after the remote has acknowledged edits of
/// it.
@Suite("Objects that the remote's lists must contain")
struct BaseStandingTests {
    private static let ofUser: JSONObject = ["u": ["read": true, "write": true]]
    private static let ofRole: JSONObject = ["role:staff": ["read": true, "write": true]]

    /// Makes edits of a shown object, each of which the remote acknowledges.
    /// - Parameter reader: the user under whose session the remote is read.
    private static func acknowledged(_ edits: [JSONObject], reader: String? = nil) throws -> ObjectLife {
        var life = ObjectLife(className: "Holiday", objectId: "a")
        life.base = .make(["n": 1, "ACL": .object(ofUser)])
        life.replay()
        var context = LifeContext(now: .changed, author: .gateway) { "r" }
        context.reader = reader
        for edit in edits {
            _ = try life.receive(.edited(.make(edit), stale: nil), context)
            life.steps[0].seq = 1
            let entry = OutboxEntry(life.steps[0], of: life, awaits: [], unansweredAt: nil, ownMarks: [])
            _ = try life.receive(.chosen(entry, serverTime: .based), context)
            let answer = Acknowledgement(objectId: "a", createdAt: nil, updatedAt: .changed, echoed: [:])
            _ = try life.receive(.settled(entry, .acknowledged(answer)), context)
        }
        return life
    }

    @Test func anEditWithoutANewACLCannotHideTheObject() throws {
        let life = try Self.acknowledged([["n": 2], ["n": 3]])
        #expect(life.baseStanding == .edited)
        #expect(life.baseIsProvisional && !life.mayBeInvisible)
    }

    @Test func anEditOfTheACLMayHideTheObject() throws {
        let life = try Self.acknowledged([["n": 2], ["ACL": .object(Self.ofRole)], ["n": 3]])
        #expect(life.baseStanding == .acknowledged)
        #expect(life.mayBeInvisible)
    }

    @Test func aNewACLCannotHideTheObjectFromAReaderItNames() throws {
        let shared: JSONObject = ["u": ["read": true, "write": true], "role:staff": ["read": true]]
        let ofReader = try Self.acknowledged([["ACL": .object(shared)], ["n": 2]], reader: "u")
        #expect(ofReader.baseStanding == .edited && !ofReader.mayBeInvisible)
        // A lagging list may lack the object that the first edit has hidden.
        let wasHidden = try Self.acknowledged([["ACL": .object(Self.ofRole)], ["ACL": .object(shared)]], reader: "u")
        #expect(wasHidden.baseStanding == .acknowledged && wasHidden.mayBeInvisible)
        let ofAnother = try Self.acknowledged([["ACL": .object(shared)]], reader: "v")
        #expect(ofAnother.baseStanding == .acknowledged && ofAnother.mayBeInvisible)
        let ofEverybody = try Self.acknowledged([["ACL": ["*": ["read": true]]]])
        #expect(ofEverybody.baseStanding == .edited && !ofEverybody.mayBeInvisible)
    }

    /// A local create that the remote may have executed.
    private static func sent(_ phase: PendingStep.Phase) -> ObjectLife {
        var life = ObjectLife(className: "Holiday", objectId: "local")
        let create = PendingStep.make(
            .create, ["n": 1, "ACL": .object(ofUser)], phase: phase, wasAttempted: true)
        life.steps = [ObjectLife.Step(seq: 1, step: create, requestId: "r", attempts: 1)]
        life.replay()
        return life
    }

    /// A read has shown the adopted object, the candidate of the conflict.
    @Test func anAdoptedObjectIsExpectedInTheRemotesLists() throws {
        var life = Self.sent(.held)
        life.conflict = OpenConflict(kind: .ambiguousCreate, candidate: .make(["n": 2, "ACL": .object(Self.ofUser)]))
        _ = try life.receive(.decided(keep: "applied", nil), LifeContext(now: .changed, author: .gateway) { "r" })
        #expect(life.objectId == "a" && life.baseStanding == .edited)
        #expect(life.baseIsProvisional && !life.mayBeInvisible)
    }

    /// A pull has shown the object before the answer to its create.
    @Test func anAcknowledgedCreateIsExpectedInTheRemotesListsAfterAPull() throws {
        var life = Self.sent(.inFlight)
        var pulled = ObjectLife(className: "Holiday", objectId: "a")
        pulled.base = .make(["n": 1, "ACL": .object(Self.ofUser)])
        pulled.replay()
        var context = LifeContext(now: .changed, author: .gateway) { "r" }
        context.other = pulled
        let entry = OutboxEntry(life.steps[0], of: life, awaits: [], unansweredAt: nil, ownMarks: [])
        let answer = Acknowledgement(objectId: "a", createdAt: .made, updatedAt: .made, echoed: [:])
        _ = try life.receive(.settled(entry, .acknowledged(answer)), context)
        #expect(life.objectId == "a" && life.baseStanding == .edited && !life.mayBeInvisible)
    }

    @Test func aPulledRowWithTheNewACLShowsThatListsContainTheObject() throws {
        var life = try Self.acknowledged([["ACL": .object(Self.ofRole)]])
        let row = RemoteRecord.make(["n": 1, "ACL": .object(Self.ofRole)], updatedAt: .changed)
        _ = try life.receive(.row(row), LifeContext(now: .changed, author: .gateway) { "r" })
        #expect(life.baseStanding == .shown && !life.mayBeInvisible)
    }
}
