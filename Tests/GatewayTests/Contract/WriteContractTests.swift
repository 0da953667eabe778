import ParseModel
import RemoteService
import Testing

@Suite("Contract of remotes: writes")
struct WriteContractTests {
    @Test(arguments: ContractRemote.all)
    func aCreateReturnsTheIdAndTheTimes(_ remote: ContractRemote) async throws {
        try await remote.hold { subject in
            let accepts = try await subject.acceptsChosenIds()
            let made = try await subject.apply(
                subject.operation(.create, "chosen1234", ["name": "a", "n": 1], sendsObjectId: accepts))
            #expect((made.objectId == "chosen1234") == accepts)
            #expect(made.createdAt != nil)
            #expect((made.version != nil) == subject.capabilities.hasConditionalWrites)
            let record = try #require(try await subject.present(made.objectId))
            #expect(record.objectId == made.objectId)
            #expect(record.createdAt == made.createdAt)
            #expect(record.updatedAt == made.updatedAt)
            #expect(record.version == made.version)
            #expect(record.fields["name"] == "a")
            #expect(record.fields["n"] == 1)
        }
    }

    @Test(arguments: ContractRemote.all)
    func aCreateWithoutAnIdGetsOne(_ remote: ContractRemote) async throws {
        try await remote.hold { subject in
            let first = try await subject.apply(subject.operation(.create, "same567890", ["n": 1]))
            let second = try await subject.apply(subject.operation(.create, "same567890", ["n": 2]))
            #expect(!first.objectId.isEmpty)
            #expect(first.objectId != second.objectId)
            #expect(try await subject.present(second.objectId)?.fields["n"] == 2)
        }
    }

    @Test(arguments: ContractRemote.all)
    func aChosenIdIsAcceptedOnceOrRefused(_ remote: ContractRemote) async throws {
        try await remote.hold { subject in
            let first = try subject.operation(.create, "chosen1234", ["n": 1], sendsObjectId: true)
            guard try await subject.acceptsChosenIds() else {
                guard case .refused = try await subject.push(first) else {
                    Issue.record("an id was chosen where that is not allowed")
                    return
                }
                #expect(try await subject.ids(of: subject.whole).isEmpty)
                return
            }
            try await subject.apply(first)
            let outcome = try await subject.push(
                subject.operation(.create, "chosen1234", ["n": 2], sendsObjectId: true))
            guard case .duplicate = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(try await subject.present("chosen1234")?.fields["n"] == 1)
        }
    }

    @Test(arguments: ContractRemote.all)
    func anUpdateChangesOnlyItsFields(_ remote: ContractRemote) async throws {
        try await remote.hold { subject in
            let base = try await subject.create(["a": 1, "b": 1, "c": 1])
            try await subject.wait()
            let done = try await subject.apply(
                subject.operation(.update, base.objectId, ["a": 2, "b": ["__op": "Delete"]], base: base))
            #expect(done.objectId == base.objectId)
            #expect((done.version != nil) == subject.capabilities.hasConditionalWrites)
            let record = try #require(try await subject.present(base.objectId))
            #expect(record.fields["a"] == 2)
            #expect(record.fields["b"] ?? .null == .null)
            #expect(record.fields["c"] == 1)
            if subject.capabilities.hasCreationTimes { #expect(record.createdAt == base.createdAt) }
            #expect(record.updatedAt == done.updatedAt)
            #expect(record.version == done.version)
            #expect(record.updatedAt >= base.updatedAt)
            if subject.capabilities.hasConditionalWrites { #expect(record.version != base.version) }
        }
    }

    @Test(arguments: ContractRemote.all)
    func anIncrementIsAppliedAndItsResultReturned(_ remote: ContractRemote) async throws {
        try await remote.hold { subject in
            let base = try await subject.create(["n": 5])
            let done = try await subject.apply(
                subject.operation(.update, base.objectId, ["n": ["__op": "Increment", "amount": 2]], base: base))
            #expect(done.echoed["n"] == 7)
            #expect(try await subject.present(base.objectId)?.fields["n"] == 7)
        }
    }

    @Test(arguments: ContractRemote.all)
    func aDeletedObjectIsMissing(_ remote: ContractRemote) async throws {
        try await remote.hold { subject in
            let base = try await subject.create(["n": 1])
            let done = try await subject.apply(subject.operation(.delete, base.objectId, base: base))
            #expect(done.objectId == base.objectId)
            #expect(try await subject.present(base.objectId) == nil)
        }
    }

    @Test(arguments: ContractRemote.all, [PushOperation.Kind.update, .delete])
    func aWriteToAMissingObjectIsReportedAsGone(_ remote: ContractRemote, kind: PushOperation.Kind) async throws {
        try await remote.hold(variant: kind.rawValue) { subject in
            // The class must exist, because a server may answer differently about a missing class.
            try await subject.create(["n": 1])
            let outcome = try await subject.push(
                subject.operation(kind, "absent4321", kind == .update ? ["n": 2] : [:]))
            #expect(outcome.word == "gone")
        }
    }

    @Test(arguments: ContractRemote.all)
    func aRefusalIsNotReportedAsAnUnknownOutcome(_ remote: ContractRemote) async throws {
        try await remote.hold { subject in
            let base = try await subject.create(["n": 1])
            for operation in [
                try subject.operation(.create, "local", ["bad-field": 1]),
                try subject.operation(.update, base.objectId, ["bad-field": 1], base: base),
            ] {
                let outcome = try await subject.push(operation)
                guard case .refused(_, let message) = outcome else {
                    Issue.record("\(operation.kind): \(outcome)")
                    continue
                }
                #expect(!message.isEmpty)
            }
            #expect(try await subject.ids(of: subject.whole) == [base.objectId])
            #expect(try await subject.present(base.objectId) == base)
        }
    }

    @Test(arguments: ContractRemote.all)
    func eachOperationOfAPushHasItsOwnOutcomeInOrder(_ remote: ContractRemote) async throws {
        try await remote.hold { subject in
            let base = try await subject.create(["n": 1])
            let operations = [
                try subject.operation(.update, base.objectId, ["n": 2], base: base),
                try subject.operation(.update, "absent4321", ["n": 2]),
                try subject.operation(.create, "local", ["bad-field": 1]),
                try subject.operation(.create, "local", ["n": 3]),
            ].prefix(subject.remote.batchMax)
            let outcomes = await subject.remote.push(Array(operations))
            let words = ["applied", "gone", "refused", "applied"].prefix(operations.count)
            #expect(outcomes.map(\.word) == Array(words))
            #expect(try await subject.present(base.objectId)?.fields["n"] == 2)
            #expect(try await subject.ids(of: subject.whole).count == (operations.count > 3 ? 2 : 1))
        }
    }
}

extension PushOutcome {
    /// The name of the outcome's case, without associated values.
    fileprivate var word: String {
        switch self {
        case .applied: "applied"
        case .duplicate: "duplicate"
        case .gone: "gone"
        case .conflict: "conflict"
        case .refused: "refused"
        case .refusedForNow: "refused for now"
        case .unauthorized, .classUnauthorized: "unauthorized"
        case .retry: "retry"
        case .unknown: "unknown"
        }
    }
}
