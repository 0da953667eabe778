import ParseModel
import RemoteService
import Testing

@Suite("Contract of remotes: deletions and conditional writes")
struct DeletionContractTests {
    @Test(arguments: ContractRemote.all)
    func aDeletionIsShownByATombstoneOrByAbsence(_ remote: ContractRemote) async throws {
        try await remote.hold { subject in
            let made = try await subject.createNumbered(4)
            let cursor = try await subject.pullAll().cursor
            let (gone, rest) = (made[1], made.map(\.objectId).filter { $0 != made[1].objectId })
            try await subject.apply(subject.operation(.delete, gone.objectId, base: gone))
            let tombstones = subject.capabilities.hasTombstones ? [gone.objectId] : []
            #expect(try await subject.pullAll(from: cursor).deletedIds == tombstones)
            let anew = try await subject.pullAll()
            #expect(anew.ids == rest)
            #expect(anew.deletedIds == tombstones)
            #expect(try await subject.ids(of: subject.whole).sorted() == rest.sorted())
            let count = try await subject.remote.counts(of: subject.whole, created: [.all])[0]
            #expect(count == nil || count == rest.count)
            #expect(try await subject.pull(PullRequest(subject.whole, cursor: nil, wantsCount: true)).count == count)
            let fetched = try await subject.remote.fetch(subject.className, objectIds: [gone.objectId])
            #expect(fetched.filter(\.isDeleted).map(\.objectId) == tombstones)
            #expect(fetched.filter { !$0.isDeleted }.isEmpty)
        }
    }

    @Test(arguments: ContractRemote.all, [PushOperation.Kind.update, .delete])
    func aWriteToADeletedObjectIsNotCarriedOut(_ remote: ContractRemote, kind: PushOperation.Kind) async throws {
        try await remote.hold(variant: kind.rawValue) { subject in
            let base = try await subject.create(["n": 1])
            try await subject.apply(subject.operation(.delete, base.objectId, base: base))
            let outcome = try await subject.push(
                subject.operation(kind, base.objectId, kind == .update ? ["n": 2] : [:], base: base))
            switch outcome {
            case .gone, .conflict(nil): break
            case .conflict(let record?): #expect(record.isDeleted)
            default: Issue.record("\(outcome)")
            }
            #expect(try await subject.present(base.objectId) == nil)
        }
    }

    @Test(arguments: ContractRemote.all)
    func anUndeletedObjectHasOnlyTheGivenFields(_ remote: ContractRemote) async throws {
        try await remote.hold { subject in
            guard subject.capabilities.canUndelete else { return }
            let base = try await subject.create(["a": 1, "b": 1])
            try await subject.apply(subject.operation(.delete, base.objectId, base: base))
            let cursor = try await subject.pullAll().cursor
            try await subject.wait()
            let revived = try await subject.apply(
                subject.operation(.undelete, base.objectId, ["a": 2], sendsObjectId: true))
            #expect(revived.objectId == base.objectId)
            let record = try #require(try await subject.present(base.objectId))
            #expect(record.fields.filter { !$0.value.isNull }.map(\.key) == ["a"])
            #expect(record.fields["a"] == 2)
            #expect(record.version == revived.version)
            #expect(try await subject.pullAll(from: cursor).ids == [base.objectId])
        }
    }

    @Test(arguments: ContractRemote.all, [PushOperation.Kind.update, .delete])
    func aWriteBasedOnAnOldRowConflictsAndReturnsTheRow(
        _ remote: ContractRemote, kind: PushOperation.Kind
    ) async throws {
        try await remote.hold(variant: kind.rawValue) { subject in
            guard subject.capabilities.hasConditionalWrites else { return }
            let base = try await subject.create(["n": 1])
            let theirs = try await subject.apply(subject.operation(.update, base.objectId, ["n": 2], base: base))
            let body: JSONObject = kind == .update ? ["n": 3] : [:]
            let outcome = try await subject.push(subject.operation(kind, base.objectId, body, base: base))
            guard case .conflict(let record) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            let present = try #require(try await subject.present(base.objectId))
            #expect(present.fields["n"] == 2)
            #expect(present.version == theirs.version)
            #expect(record == nil || record == present)
            try await subject.apply(subject.operation(kind, base.objectId, body, base: present))
            #expect(try await subject.present(base.objectId)?.fields["n"] == (kind == .update ? 3 : nil))
        }
    }

    @Test(arguments: ContractRemote.all)
    func aRowHasTheSameVersionInEveryKindOfRead(_ remote: ContractRemote) async throws {
        try await remote.hold { subject in
            let made = try await subject.createNumbered(2)
            #expect(made.allSatisfy { ($0.version != nil) == subject.capabilities.hasConditionalWrites })
            #expect(try await subject.pullAll().records.map(\.version) == made.map(\.version))
        }
    }
}
