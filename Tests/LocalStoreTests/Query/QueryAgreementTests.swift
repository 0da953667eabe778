import Foundation
import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import LocalStore

/// Queries are implemented twice, as SQL and in `Matcher`. Both must find the same random objects.
@Suite("SQL and matcher agree")
struct QueryAgreementTests {
    @Test(arguments: 1...8) func sqliteAndTheMatcherAgreeOnRandomQueries(seed: Int) async throws {
        var random = RandomQueries(seed: UInt64(seed))
        let world = try await World(random)
        random.known = world.rows
        var (found, asked, indexCount, orderedCount) = (0, 0, 0, 0)
        for round in 0..<360 {
            // Indexes are made for the queries of earlier rounds, and serve those of later ones.
            if round == 100 { indexCount = try await world.store.tendIndexes().made.count }
            if round == 260 {
                let made = try await world.store.tendIndexes().made
                orderedCount = made.count { $0.split(separator: " ").count == 3 }
            }
            let parameters = round >= 100 && round % 4 != 0 ? random.parametersInOrder() : random.parameters()
            let query: ParseQuery
            do {
                query = try ParseQuery(parameters: parameters)
            } catch {
                Issue.record(error, "\(parameters.jsonText)")
                continue
            }
            let expected = try world.found("Row", query)
            do {
                let actual = try world.store.find("Row", query)
                #expect(actual.objects.map(\.objectId) == expected.page, "\(parameters.jsonText)")
                #expect(actual.count == expected.count, "\(parameters.jsonText)")
            } catch {
                Issue.record(error, "\(parameters.jsonText)")
            }
            asked += 1
            if expected.count > 0, expected.count < RandomQueries.ids.count { found += 1 }
        }
        #expect(indexCount >= 3 && orderedCount >= 1)
        // Queries that find everything or nothing would prove little.
        #expect(found > asked / 6, "\(found) of \(asked)")
    }

    /// Objects in a store, and the same ones as a list.
    private struct World {
        let store: LocalStore
        private var objects: [String: [JSONObject]] = [:]
        private var members: [Pointer: Set<Pointer>] = [:]

        init(_ random: RandomQueries) async throws {
            store = try LocalStore.make(.replica) {
                $0.indexing = IndexKeeper.Limits(
                    missesMin: 1, orderLossMin: .zero, orderObjectsMin: 0, objectsMin: 1, countMax: 40)
            }
            for className in RandomQueries.classNames {
                try await store.pull(
                    RandomQueries.ids.map { id in
                        .make(
                            id, random.object(), of: className, createdMs: Int64(random.below(24)) * 1000,
                            updatedMs: Int64(random.below(24)) * 1000)
                    })
                for id in RandomQueries.ids where random.chance(2) {
                    let added = random.some(upTo: 4, random.pointer).filter { $0.object?["className"] == "Other" }
                    guard !added.isEmpty else { continue }
                    try await store.update(
                        id, ["relation": ["__op": "AddRelation", "objects": .array(added)]], of: className)
                    members[Pointer(className: className, objectId: id)] = Set(added.compactMap { Pointer($0) })
                }
                objects[className] = try store.find(className, ParseQuery(limit: 1000)).objects.compactMap {
                    try JSONReader.read($0.json).object
                }
            }
        }

        var rows: [JSONObject] { objects["Row"] ?? [] }

        func found(_ className: String, _ query: ParseQuery) throws -> (page: [String], count: Int) {
            let all = try matching(className, query)
            let page = all.dropFirst(query.skip).prefix(query.limit)
            return (page.compactMap { $0["objectId"]?.string }, all.count)
        }

        private func matching(_ className: String, _ query: ParseQuery) throws -> [JSONObject] {
            let matcher = Matcher(className: className, lookups: lookups)
            let found = try (objects[className] ?? []).filter { try matcher.matches(query.predicate, $0) }
            return ObjectOrder(query).sorted(found)
        }

        private var lookups: Matcher.Lookups {
            Matcher.Lookups(
                regex: { pattern, options, text in
                    var flags: NSRegularExpression.Options = []
                    if options.contains("i") { flags.insert(.caseInsensitive) }
                    if options.contains("m") { flags.insert(.anchorsMatchLines) }
                    if options.contains("s") { flags.insert(.dotMatchesLineSeparators) }
                    if options.contains("x") { flags.insert(.allowCommentsAndWhitespace) }
                    let expression = try NSRegularExpression(pattern: pattern, options: flags)
                    return expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
                },
                isMember: { member, owner, field in
                    field == "relation" && members[owner]?.contains(member) == true
                },
                objects: { query in
                    try matching(query.className, ParseQuery(predicate: query.predicate))
                })
        }
    }
}
