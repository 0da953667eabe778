import ParseModel
import RemoteService
import SyncModel
import Testing

@Suite("Contract of remotes: failures")
struct FailureContractTests {
    @Test(arguments: ContractRemote.all)
    func wrongKeysAreReportedAsUnauthorized(_ remote: ContractRemote) async throws {
        try await remote.hold { subject in
            guard let locked = subject.withWrongKeys else { return }
            let operations = try [1, 2].map { try subject.operation(.create, "local\($0)", ["n": 1]) }
            for outcome in await locked.push(Array(operations.prefix(locked.batchMax))) {
                switch outcome {
                case .unauthorized, .classUnauthorized: continue
                default: Issue.record("\(outcome)")
                }
            }
            for read in Self.reads(locked, subject) {
                let error = await #expect(throws: RemoteError.self) { try await read() }
                switch error {
                case .unauthorized, .classUnauthorized: continue
                default: Issue.record("\(String(describing: error))")
                }
            }
            #expect(try await subject.ids(of: subject.whole).isEmpty)
        }
    }

    @Test(arguments: ContractRemote.all)
    func aRequestToAnUnreachableServerHasSurelyNotBeenExecuted(_ remote: ContractRemote) async throws {
        try await remote.hold { subject in
            guard let unplugged = subject.unreachable else { return }
            let operations = try [1, 2].map { try subject.operation(.create, "local\($0)", ["n": 1]) }
            for outcome in await unplugged.push(Array(operations.prefix(unplugged.batchMax))) {
                guard case .retry = outcome else {
                    Issue.record("\(outcome)")
                    continue
                }
            }
            for read in Self.reads(unplugged, subject) {
                let error = await #expect(throws: RemoteError.self) { try await read() }
                guard case .unreachable = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
            }
        }
    }

    /// One request for each kind of read that `RemoteService` has.
    private static func reads(
        _ remote: any RemoteService, _ subject: ContractSubject
    ) -> [() async throws -> Void] {
        let query = subject.whole
        var reads: [() async throws -> Void] = [
            { _ = try await remote.pull([PullRequest(query, cursor: nil, wantsCount: true)]) },
            { _ = try await remote.objectIds(of: query, created: .all, after: nil) },
            {
                _ = try await remote.allIds(of: query, created: [.all, CreatedRange(from: ParseDate(milliseconds: 0))])
            },
            {
                _ = try await remote.counts(of: query, created: [.all, CreatedRange(from: ParseDate(milliseconds: 0))])
            },
            { _ = try await remote.fetch(query.className, objectIds: ["absent4321"]) },
            { _ = try await remote.created(in: query.className, since: ParseDate(milliseconds: 0)) },
        ]
        if let calls = remote.calls {
            reads.append { _ = try await calls.query(query.className, parameters: ["limit": 1]) }
        }
        return reads
    }
}
