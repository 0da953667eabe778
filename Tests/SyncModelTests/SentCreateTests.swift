import ParseModel
import SyncModel
import SyncModelSupport
import Testing

/// Tests whether this replica or another client created the row that the remote has under the id of a create.
@Suite("Rows with a client-chosen id")
struct SentCreateTests {
    private static let attemptedMs: Int64 = 1_700_000_000_000
    private static let sent: JSONObject = ["n": 5, "items": ["a"]]
    private static let edited: JSONObject = ["n": 12, "items": ["a", "b"]]

    private func create(
        wasAttempted: Bool = true, idMayBeTaken: Bool = true, isCorrected: Bool = false, isMarked: Bool = false,
        recreatesObjectOf createdAt: ParseDate? = nil
    ) throws -> SentCreate {
        let step = PendingStep(
            kind: .create, by: .gateway, operations: try FieldOperations(body: Self.sent, className: "Holiday"),
            madeAt: createdAt ?? ParseDate(milliseconds: 0), wasAttempted: wasAttempted, idMayBeTaken: idMayBeTaken,
            isCorrected: isCorrected, isRecreate: createdAt != nil)
        return SentCreate(
            className: "Holiday", step: step, attemptedAt: ParseDate(milliseconds: Self.attemptedMs),
            mark: isMarked ? SentCreate.Mark(field: "ops", id: "r:1") : nil)
    }

    /// - Parameter seconds: the time between the first attempt and the row's creation.
    private func row(_ fields: JSONObject, createdAfter seconds: Int64 = 1, marks: [String] = []) -> RemoteRecord {
        let created = ParseDate(milliseconds: Self.attemptedMs + seconds * 1000)
        var row = RemoteRecord(
            className: "Holiday", objectId: "x1", createdAt: created, updatedAt: created + .seconds(1), fields: fields)
        row.operationMarks = marks
        return row
    }

    @Test func aRowWithTheIdOfAnUnsentCreateBelongsToAnotherClient() throws {
        #expect(try create(wasAttempted: false).verdict(on: row(Self.sent)) == .foreign)
    }

    @Test func aTombstoneWithTheIdOfASentCreateBelongsToThatCreate() throws {
        #expect(try create(idMayBeTaken: false).hasProduced(row(Self.edited)))
        #expect(try create().hasProduced(row(Self.edited)))
        #expect(try create(isMarked: true).hasProduced(row(Self.edited, createdAfter: -60, marks: ["r:1"])))
        #expect(try !create(wasAttempted: false).hasProduced(row(Self.sent)))
        #expect(try !create().hasProduced(row(Self.sent, createdAfter: -60)))
    }

    /// The clocks of the request and of the row may differ by less than the age of the deleted object.
    @Test func theTombstoneOfAReplacedObjectDoesNotBelongToTheNewCreate() throws {
        let deleted = row(Self.sent)
        #expect(try !create(recreatesObjectOf: deleted.createdAt).hasProduced(deleted))
        #expect(try create(recreatesObjectOf: deleted.createdAt).hasProduced(row(Self.sent, createdAfter: 2)))
    }

    @Test func aTombstoneWithoutTheCorrectedValuesBelongsToAnotherClient() throws {
        #expect(try !create(isCorrected: true).hasProduced(row(Self.edited)))
        #expect(try create(isCorrected: true).hasProduced(row(Self.sent)))
    }

    @Test func aRowWithALocallyGeneratedIdBelongsToTheLocalCreate() throws {
        #expect(try create(idMayBeTaken: false).verdict(on: row(Self.edited)) == .own)
    }

    @Test func aRowWithTheSentValuesBelongsToTheSentCreate() throws {
        #expect(try create().verdict(on: row(Self.sent)) == .own)
    }

    @Test(arguments: [(1, .unprovable), (-9, .unprovable), (-11, .foreign)] as [(Int64, SentCreate.Verdict)])
    func anEditedRowOlderThanTheRequestBelongsToAnotherClient(_ seconds: Int64, _ verdict: SentCreate.Verdict) throws {
        #expect(try create().verdict(on: row(Self.edited, createdAfter: seconds)) == verdict)
    }

    @Test func anOperationIdShowsTheOriginOfAnEditedRow() throws {
        let create = try create(isMarked: true)
        #expect(create.verdict(on: row(Self.edited)) == .foreign)
        #expect(create.verdict(on: row(Self.edited, marks: ["other:1"])) == .foreign)
        #expect(create.verdict(on: row(Self.edited, marks: ["other:1", "r:1"])) == .own)
        var fields = Self.edited
        fields["ops"] = ["r:1"]
        #expect(create.verdict(on: row(fields)) == .own)
    }

    /// A row with the values from before the correction counts as edited by another client.
    @Test func onlyRowsWithTheCorrectedValuesBelongToACorrectedCreate() throws {
        let create = try create(isCorrected: true, isMarked: true)
        #expect(create.verdict(on: row(Self.sent)) == .own)
        #expect(create.verdict(on: row(Self.edited, marks: ["r:1"])) == .foreign)
    }
}
