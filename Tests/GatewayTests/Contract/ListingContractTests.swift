import ParseModel
import RemoteService
import SyncModel
import Testing

@Suite("Contract of remotes: lists, counts and reading by id")
struct ListingContractTests {
    @Test(arguments: ContractRemote.all)
    func everyIdIsListedOnceWithItsUpdateTime(_ remote: ContractRemote) async throws {
        try await remote.hold { subject in
            let made = try await subject.createNumbered(7)
            var stamps: [ObjectStamp] = []
            while true {
                let page = try await subject.remote.objectIds(
                    of: subject.whole, created: .all, after: stamps.last?.objectId)
                if page.isLast { break }
                stamps += page.stamps
                try #require(stamps.count <= made.count)
            }
            #expect(stamps.count == made.count)
            #expect(Set(stamps) == Set(made.map { ObjectStamp(objectId: $0.objectId, updatedAt: $0.updatedAt) }))
        }
    }

    @Test(arguments: ContractRemote.all)
    func countsEqualTheLengthsOfTheLists(_ remote: ContractRemote) async throws {
        try await remote.hold { subject in
            let made = try await subject.createNumbered(6)
            let times = made.map(\.createdAt)
            var ranges = [
                CreatedRange.all, CreatedRange(from: times[1], to: times[4]), CreatedRange(to: times[2]),
                CreatedRange(from: times[3]), CreatedRange(from: times[5] + .seconds(60)),
            ]
            if !subject.capabilities.hasCreationTimes { ranges = [.all] }
            let narrow = PullQuery(className: subject.className, conditions: ["n": ["$gte": 3]])
            for (query, known) in [(subject.whole, made), (narrow, Array(made[2...]))] {
                let counts = try await subject.remote.counts(of: query, created: ranges)
                try #require(counts.count == ranges.count)
                let lists = try await subject.remote.allIds(of: query, created: ranges)
                try #require(lists.count == ranges.count)
                for (range, list) in zip(ranges, lists) {
                    #expect(Set(list) == Set(known.filter { range.contains($0.createdAt) }.map(\.objectId)))
                    #expect(Set(list).count == list.count)
                }
                for (range, count) in zip(ranges, counts) {
                    let expected = known.filter { range.contains($0.createdAt) }.map(\.objectId)
                    #expect(try await subject.ids(of: query, created: range).sorted() == expected.sorted())
                    // A server may allow listing but not counting.
                    #expect(count == nil || count == expected.count)
                }
            }
        }
    }

    @Test(arguments: ContractRemote.all)
    func readingByIdReturnsTheExistingObjects(_ remote: ContractRemote) async throws {
        try await remote.hold { subject in
            let made = try await subject.createNumbered(5)
            let ids = ["absent4321"] + made.reversed().map(\.objectId) + ["absent8765"]
            let found = try await subject.remote.fetch(subject.className, objectIds: ids)
            #expect(Set(found) == Set(made))
            #expect(found.count == made.count)
            #expect(try await subject.remote.fetch(subject.className, objectIds: ["absent4321"]).isEmpty)
            #expect(try await subject.remote.fetch(subject.className, objectIds: []).isEmpty)
        }
    }

    @Test(arguments: ContractRemote.all)
    func objectsCreatedSinceATimeAreListedOldestFirst(_ remote: ContractRemote) async throws {
        try await remote.hold { subject in
            let made = try await subject.createNumbered(5)
            guard subject.capabilities.hasCreationTimes else { return }
            // An edit does not change `createdAt`.
            try await subject.apply(subject.operation(.update, made[0].objectId, ["n": 10], base: made[0]))
            let since = made[2].createdAt
            let found = try await subject.remote.created(in: subject.className, since: since)
            #expect(found.map(\.objectId) == made.filter { $0.createdAt >= since }.map(\.objectId))
            #expect(found.first == made.first { $0.createdAt >= since })
        }
    }

    @Test(arguments: ContractRemote.all)
    func allMembersOfARelationAreListed(_ remote: ContractRemote) async throws {
        try await remote.hold { subject in
            guard let relations = subject.remote.relations else { return }
            let memberClass = subject.memberClass
            var members: [String] = []
            for n in 1...5 { members.append(try await subject.create(["n": .int(n)], in: memberClass).objectId) }
            func joining(_ ids: ArraySlice<String>) -> JSONObject {
                let pointers = ids.map { Pointer(className: memberClass, objectId: $0).json }
                return ["others": ["__op": "AddRelation", "objects": .array(pointers)]]
            }
            let owners = [
                try await subject.create(joining(members[0...])), try await subject.create(joining(members[..<2])),
            ]
            let lonely = try await subject.create(["n": 0])
            let pulls = (owners + [lonely]).map { owner in
                RelationPull(
                    owner: Pointer(className: subject.className, objectId: owner.objectId), field: "others",
                    memberClass: memberClass)
            }
            let lists = try await relations.members(of: pulls)
            #expect(lists.map { $0.sorted() } == [members.sorted(), members[..<2].sorted(), []])
        }
    }

    @Test(arguments: ContractRemote.all)
    func aForwardedParseQueryIsAnswered(_ remote: ContractRemote) async throws {
        try await remote.hold { subject in
            let made = try await subject.createNumbered(4)
            let parameters: JSONObject = [
                "where": ["n": ["$in": [2, 3, 4]]], "order": "-n", "limit": 2, "keys": "n", "count": 1,
            ]
            guard let calls = subject.remote.calls else { return }
            let answer = try await calls.query(subject.className, parameters: parameters)
            let rows = (answer["results"]?.array ?? []).compactMap(\.object)
            #expect(rows.map { $0["objectId"]?.string } == [made[3].objectId, made[2].objectId])
            #expect(rows.map { $0["n"]?.int } == [4, 3])
            #expect(rows.allSatisfy { $0["name"] == nil })
            #expect(answer["count"] == 3)
        }
    }
}
