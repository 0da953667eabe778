import ParseModel
import RemoteService
import SyncModel
import Testing

@testable import SyncEngine

/// Tests reading a relation field of all objects of a class, by requests for the owners of each member.
@Suite struct RelationSurveyTests {
    private static let column = RelationField(className: "Holiday", field: "countries", memberClass: "Country")

    /// A fake remote with one relation column: the owners of each member.
    private struct Fake {
        var owners: [String: [String]]
        var pageMax = 3
        /// Whether the remote reports the number of owners.
        var counts = true
        /// The numbers of the requests that return an empty answer by mistake.
        var lost: Set<Int> = []
        /// The number of the page of ids that is empty by mistake.
        var lostPage: Int?
        /// An owner that gets a member just before a request.
        var joining: (question: Int, member: String, owner: String)?
        var asked = 0
        var listed = 0
        var steps = 0

        mutating func list(_ members: [String], after last: String?) -> ObjectStampPage {
            listed += 1
            let page = listed == lostPage ? [] : members.drop { id in last.map { id <= $0 } ?? false }.prefix(50)
            return ObjectStampPage(
                stamps: page.map { ObjectStamp(objectId: $0, updatedAt: ParseDate(milliseconds: 0)) },
                isLast: page.isEmpty)
        }

        mutating func answer(_ request: OwnersRequest) -> OwnersPage {
            asked += 1
            if let joining, joining.question == asked { owners[joining.member, default: []].append(joining.owner) }
            let all = Set(request.memberIds.flatMap { owners[$0] ?? [] }).sorted()
            let rest = all.drop { id in request.after.map { id <= $0 } ?? false }
            if lost.contains(asked) { return OwnersPage(ownerIds: [], count: counts ? 0 : nil) }
            return OwnersPage(ownerIds: Array(rest.prefix(pageMax)), count: counts ? rest.count : nil)
        }
    }

    /// - Returns: the survey at its end.
    private func run(_ fake: inout Fake, members: [String], waiting: Int = 1000) -> RelationSurvey? {
        var survey = RelationSurvey(Self.column, waiting: waiting, began: ParseDate(milliseconds: 0))
        while fake.steps < 10_000 {
            fake.steps += 1
            switch survey.next(batchMax: 5) {
            case .listMembers(let after), .listMembersAgain(let after):
                survey.takeMembers(fake.list(members, after: after))
            case .ask(let requests), .askAgain(let requests): survey.receive(requests.map { fake.answer($0) })
            case .complete: return survey
            case .pointless: return nil
            }
        }
        return nil
    }

    private func name(_ letter: String, _ number: Int) -> String { letter + String(1000 + number) }

    /// Each owner with its members, including the owners that must be read one by one.
    private func pairs(_ survey: RelationSurvey, _ fake: Fake) -> [String: Set<String>] {
        var pairs: [String: Set<String>] = [:]
        for owner in Set(fake.owners.values.joined()) where !survey.singles.contains(owner) {
            pairs[owner] = Set(survey.members(of: owner))
        }
        return pairs
    }

    private func truth(_ survey: RelationSurvey, _ fake: Fake) -> [String: Set<String>] {
        var truth: [String: Set<String>] = [:]
        for (member, owners) in fake.owners {
            for owner in owners where !survey.singles.contains(owner) { truth[owner, default: []].insert(member) }
        }
        return truth
    }

    @Test(arguments: [true, false]) func membersOfRelationsWithManyOwnersAreQueriedAlone(counts: Bool) throws {
        let members = (0..<20).map { name("m", $0) }
        var fake = Fake(owners: [:], counts: counts)
        for (number, member) in members.enumerated() where number % 3 > 0 {
            fake.owners[member] = (0..<40).filter { ($0 * 7 + number) % 4 == 0 }.map { name("o", $0) }
        }
        let survey = try #require(run(&fake, members: members))
        #expect(survey.singles.isEmpty)
        #expect(pairs(survey, fake) == truth(survey, fake))
    }

    @Test func aRelationColumnWithFewMembersTakesFewRequests() throws {
        let members = (0..<2000).map { name("m", $0) }
        var fake = Fake(owners: ["m1007": ["o1"], "m1008": ["o1", "o2"], "m2500": ["o3"]], pageMax: 100)
        let survey = try #require(run(&fake, members: members))
        #expect(survey.singles == ["o1", "o2", "o3"])
        // 20 groups, and two larger groups that contain the empty ones.
        #expect(fake.asked == 22)
    }

    @Test func mistakenlyEmptyListsOfOwnersAreReadAgain() throws {
        let members = (0..<30).map { name("m", $0) }
        var owners: [String: [String]] = [:]
        for member in members { owners[member] = (0..<9).map { name("o", $0) } }
        for lost in 1...80 {
            var fake = Fake(owners: owners, lost: [lost])
            let survey = try #require(run(&fake, members: members))
            #expect(pairs(survey, fake) == truth(survey, fake), "question \(lost)")
        }
    }

    /// A list of owners is read page by page. If an owner is added between two pages and another owner is missed, the
    /// number of owners is still right.
    @Test(arguments: [true, false], [3, 20])
    func anOwnerAddedBetweenTwoPagesHidesNoOtherOwner(counts: Bool, memberCount: Int) throws {
        let members = (0..<memberCount).map { name("m", $0) }
        let known = Dictionary(uniqueKeysWithValues: members.map { ($0, (0..<8).map { name("o", $0) }) })
        for question in 1...30 {
            for place in 0..<8 {
                var fake = Fake(owners: known, counts: counts)
                fake.joining = (question, members[0], name("o", place) + "x")
                let survey = try #require(run(&fake, members: members))
                for owner in (0..<8).map({ name("o", $0) }) where !survey.singles.contains(owner) {
                    #expect(Set(survey.members(of: owner)) == Set(members), "request \(question), place \(place)")
                }
            }
        }
    }

    @Test(arguments: 1...5) func aMistakenlyEmptyPageOfOwnerIdsIsReadAgain(lost: Int) throws {
        let members = (0..<120).map { name("m", $0) }
        var fake = Fake(owners: [:], pageMax: 200, lostPage: lost)
        for (number, member) in members.enumerated() { fake.owners[member] = [name("o", number)] }
        let survey = try #require(run(&fake, members: members))
        #expect(survey.singles.isEmpty)
        #expect(pairs(survey, fake) == truth(survey, fake))
    }

    @Test func aRelationColumnWithoutOwnersIsReadToItsEnd() throws {
        var fake = Fake(owners: [:])
        let survey = try #require(run(&fake, members: (0..<10).map { name("m", $0) }))
        #expect(survey.singles.isEmpty && survey.members(of: "o1").isEmpty)
        var empty = Fake(owners: [:])
        #expect(run(&empty, members: []) != nil)
        #expect(empty.asked == 0)
    }

    @Test func aRelationWithTooManyMembersIsNotListed() {
        var fake = Fake(owners: [:])
        #expect(run(&fake, members: (0..<2000).map { name("m", $0) }, waiting: 10) == nil)
        #expect(fake.asked == 0 && fake.steps < 10)
    }
}
