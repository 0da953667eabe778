import ParseModel
import RemoteService
import SyncModel
import Testing

@Suite("Contract of remotes: pulls")
struct PullContractTests {
    @Test(arguments: ContractRemote.all)
    func everyRowIsPulledOnceInTheOrderOfUpdateTimes(_ remote: ContractRemote) async throws {
        try await remote.hold { subject in
            let made = try await subject.createNumbered(7)
            let pulled = try await subject.pullAll()
            #expect(pulled.records == made)
            #expect(pulled.pages.last?.changes.isEmpty == true)
        }
    }

    @Test(arguments: ContractRemote.all, [1, 2, 3])
    func rowsWithOneUpdateTimeThatFitAPageArePulledOnce(_ remote: ContractRemote, limit: Int) async throws {
        try await remote.hold(variant: "\(limit)") { subject in
            var made: [String] = []
            for n in 1...4 {
                for _ in 1...min(limit, 2) { made.append(try await subject.create(["n": .int(n)]).objectId) }
                try await subject.wait()
            }
            let pulled = try await subject.pullAll(limit: limit)
            #expect(pulled.pages.allSatisfy { $0.changes.count <= limit })
            #expect(pulled.ids.sorted() == made.sorted())
        }
    }

    /// A pull may return rows with one update time twice: a remote that cannot continue in the middle of them begins
    /// with them again.
    @Test(arguments: ContractRemote.all)
    func moreRowsWithOneUpdateTimeThanAPageHoldsAreAllPulled(_ remote: ContractRemote) async throws {
        try await remote.hold { subject in
            var made: Set<String> = []
            for n in 1...10 { made.insert(try await subject.create(["n": .int(n)]).objectId) }
            #expect(Set(try await subject.pullAll(limit: 3).ids) == made)
        }
    }

    @Test(arguments: ContractRemote.all)
    func changesSinceAnEarlierCursorArePulled(_ remote: ContractRemote) async throws {
        try await remote.hold { subject in
            let made = try await subject.createNumbered(5)
            let before = try await subject.pullAll()
            let changed = try subject.operation(.update, made[1].objectId, ["n": 20], base: made[1])
            try await subject.apply(changed)
            let new = try await subject.create(["n": 6])
            let since = try await subject.pullAll(from: before.cursor)
            #expect(since.ids.sorted() == [made[1].objectId, new.objectId].sorted())
            #expect(since.records.first { $0.objectId == made[1].objectId }?.fields["n"] == 20)
        }
    }

    @Test(arguments: ContractRemote.all)
    func aPullWithoutChangesHasOneEmptyPage(_ remote: ContractRemote) async throws {
        try await remote.hold { subject in
            _ = try await subject.createNumbered(4)
            let cursor = try await subject.pullAll().cursor
            let page = try await subject.pull(PullRequest(subject.whole, cursor: cursor))
            #expect(page.changes.isEmpty)
            #expect(page.isLast)
            #expect(page.cursor == cursor)
        }
    }

    @Test(arguments: ContractRemote.all)
    func anEmptyClassIsPulledAsAnEmptyPage(_ remote: ContractRemote) async throws {
        try await remote.hold { subject in
            let page = try await subject.pull(PullRequest(subject.whole, cursor: nil, wantsCount: true))
            #expect(page.changes.isEmpty)
            #expect(page.isLast)
            #expect(page.cursor == nil)
            #expect(page.count == 0)
        }
    }

    @Test(arguments: ContractRemote.all)
    func shortPageIsNotTakenForTheLastPage(_ remote: ContractRemote) async throws {
        try await remote.hold { subject in
            _ = try await subject.createNumbered(2)
            let page = try await subject.pull(PullRequest(subject.whole, cursor: nil, wantsCount: true))
            #expect(page.changes.count == 2)
            #expect(!page.isLast)
            #expect(page.count == 2)
        }
    }

    @Test(arguments: ContractRemote.all)
    func aPullEndsWithThePageThatReachesItsStartTime(_ remote: ContractRemote) async throws {
        try await remote.hold { subject in
            let made = try await subject.createNumbered(2)
            let newest = try #require(made.map(\.updatedAt).max())
            for (until, isLast) in [(newest - .seconds(10), true), (newest + .seconds(10), false)] {
                let page = try await subject.pull(PullRequest(subject.whole, cursor: nil, until: until))
                #expect(page.changes.count == 2)
                #expect(page.isLast == isLast)
            }
        }
    }

    @Test(arguments: ContractRemote.all)
    func pullWithAnOverlapReturnsRowsBeforeTheCursor(_ remote: ContractRemote) async throws {
        try await remote.hold { subject in
            let made = try await subject.createNumbered(4)
            let cursor = try await subject.pullAll().cursor
            let from = made[1].updatedAt
            let pulled = try await subject.pullAll(from: cursor, lookBackTo: from)
            #expect(pulled.ids == made.filter { $0.updatedAt >= from }.map(\.objectId))
            // An overlap that begins after the cursor changes nothing: the pull begins at the cursor.
            let after = try await subject.pullAll(from: cursor, lookBackTo: made[3].updatedAt + .seconds(60))
            #expect(after.ids.isEmpty)
        }
    }

    @Test(arguments: ContractRemote.all)
    func conditionsAndKeysRestrictAPull(_ remote: ContractRemote) async throws {
        try await remote.hold { subject in
            let made = try await subject.createNumbered(5)
            let query = PullQuery(className: subject.className, conditions: ["n": ["$gt": 2]], keys: ["name"])
            let pulled = try await subject.pullAll(query)
            #expect(pulled.ids == made[2...].map(\.objectId))
            #expect(pulled.records.map(\.fields) == made[2...].map { ["name": $0.fields["name"] ?? .null] })
            #expect(pulled.records.map(\.updatedAt) == made[2...].map(\.updatedAt))
            #expect(pulled.records.map(\.version) == made[2...].map(\.version))
            let page = try await subject.pull(PullRequest(query, cursor: nil, wantsCount: true))
            #expect(page.count == 3)
        }
    }

    @Test(arguments: ContractRemote.all)
    func pagesOfSeveralPullsAreReturnedInTheOrderOfTheRequests(_ remote: ContractRemote) async throws {
        try await remote.hold { subject in
            _ = try await subject.createNumbered(3)
            let requests = [3, 1, 9, 2].map { n in
                PullRequest(PullQuery(className: subject.className, conditions: ["n": .int(n)]), cursor: nil)
            }
            let together = requests.prefix(subject.remote.batchMax)
            let pages = try await subject.remote.pull(Array(together))
            let numbers = pages.map { ContractSubject.Pulled(pages: [$0]).records.first?.fields["n"]?.int }
            #expect(numbers == Array([3, 1, nil, 2].prefix(together.count)))
        }
    }
}
