import HTTPClient
import ParseModel
import RemoteService
import SyncModel
import Synchronization
import Testing

@testable import ParseRemote

@Suite struct PagingTests {
    /// Pulls all pages.
    private func pullAll(
        _ rows: [FakeClass.Row], pageMax: Int, lookBackTo: ParseDate? = nil, from cursor: PullCursor? = nil
    ) async throws -> (pulled: [String], cursor: PullCursor?, requests: Int) {
        let fake = FakeClass(rows: rows, pageMax: pageMax)
        let transport = ScriptedTransport(answering: { fake.answer($0) })
        let remote = ParseRemote.make(transport)
        var request = PullRequest(className: "Holiday", cursor: cursor, lookBackTo: lookBackTo)
        var pulled: [String] = []
        while true {
            let page = try #require(try await remote.pull([request]).first)
            for case .upsert(let record) in page.changes { pulled.append(record.objectId) }
            if page.isLast { return (pulled, page.cursor, await transport.sent.count) }
            request = PullRequest(
                className: "Holiday", cursor: page.cursor, until: request.until ?? page.serverTime)
        }
    }

    private static let base: Int64 = 1_353_456_000_000_000

    private func rows(_ microseconds: [Int64]) -> [FakeClass.Row] {
        microseconds.enumerated().map { i, offset in
            // The order of the ids differs from the order of time. The first letters have both cases.
            let letter = ["b", "A", "a", "B", "Z", "z", "0"][i * 5 % 7]
            return FakeClass.Row(
                objectId: "\(letter)\(i)", createdMicroseconds: Self.base + offset,
                updatedMicroseconds: Self.base + offset)
        }
    }

    @Test func aShortPageDoesNotEndThePull() async throws {
        let rows = rows((0..<23).map { $0 * 1000 })
        let (pulled, _, requests) = try await pullAll(rows, pageMax: 5)
        #expect(pulled == rows.map(\.objectId))
        #expect(requests == 6)
    }

    @Test func moreRowsOfOneTimeThanFitAPageAreAllPulled() async throws {
        let rows = rows(Array(repeating: 0, count: 3) + Array(repeating: 7000, count: 40) + [8000, 9000])
        let (pulled, _, _) = try await pullAll(rows, pageMax: 4)
        #expect(Set(pulled) == Set(rows.map(\.objectId)))
    }

    @Test func aPullOfRowsWithHiddenMicrosecondsEnds() async throws {
        let rows = rows(Array(repeating: 123_456, count: 40) + [500_000])
        let (pulled, _, _) = try await pullAll(rows, pageMax: 10)
        #expect(Set(pulled) == Set(rows.map(\.objectId)))
    }

    @Test func rowsOfACompletelyPulledMillisecondAreNotPulledAgain() async throws {
        let rows = rows(Array(repeating: 123_456, count: 3))
        let (_, cursor, _) = try await pullAll(rows, pageMax: 10)
        #expect(cursor?.text.first == "g")
        let (pulled, again, requests) = try await pullAll(rows, pageMax: 10, from: cursor)
        #expect(pulled.isEmpty && again == cursor && requests == 1)
    }

    /// One sync per minute. Each looks back to ten seconds before the previous sync.
    @Test func theNewestRowWithHiddenMicrosecondsIsNotPulledInEachSync() async throws {
        let rows = rows([0, 400_000, 123_456_789])
        var cursor: PullCursor?
        var counts: [Int] = []
        for sync in 0..<5 {
            let lookBackTo = ParseDate(milliseconds: (Self.base + 123_456_789) / 1000 + 50_000 + Int64(sync) * 60_000)
            let (pulled, reached, _) = try await pullAll(
                rows, pageMax: 10, lookBackTo: sync == 0 ? nil : lookBackTo, from: cursor)
            cursor = reached
            counts.append(Set(pulled).count)
        }
        #expect(counts == [3, 0, 0, 0, 0])
    }

    @Test func anEmptyPageKeepsTheCursor() async throws {
        let rows = rows([0, 1000, 2000])
        let (_, cursor, _) = try await pullAll(rows, pageMax: 10)
        let (pulled, again, requests) = try await pullAll(rows, pageMax: 10, from: cursor)
        #expect(pulled.isEmpty && again == cursor && requests == 1)
    }

    /// In the middle of the listing of one millisecond, a broken server answers a request with empty lists.
    @Test func mistakenlyEmptyListsDoNotMoveTheCursor() async throws {
        let fake = FakeClass(rows: rows(Array(repeating: 0, count: 5) + [1000]), pageMax: 2)
        let isBroken = Mutex(false)
        let transport = ScriptedTransport(answering: { request in
            isBroken.withLock { $0 } ? FakeClass(rows: [], pageMax: 2).answer(request) : fake.answer(request)
        })
        let remote = ParseRemote.make(transport)
        var cursor: PullCursor?
        var pulled: Set<String> = []
        while pulled.count < 6 {
            let requests = [PullRequest(className: "Holiday", cursor: cursor)]
            let whole = try await remote.pull(requests)
            isBroken.withLock { $0 = true }
            let empty = try await remote.pull(requests)
            isBroken.withLock { $0 = false }
            #expect(empty.map(\.cursor) == [cursor] && empty.map(\.isLast) == [true])
            // `Pull` takes an empty list with the count 0 for incomplete if objects are known.
            #expect(cursor?.text.first != "w" || empty.map(\.count) == [0])
            try #require(whole[0].isLast == false)
            cursor = whole[0].cursor
            for case .upsert(let record) in whole[0].changes { pulled.insert(record.objectId) }
        }
        #expect(pulled == Set(fake.rows.map(\.objectId)))
    }

    /// After a mistakenly empty answer, the list of created objects ends early or is an error. The list never skips
    /// the rest of a millisecond.
    @Test(arguments: 0..<8) func mistakenlyEmptyListsCauseNoGapInTheListOfCreatedObjects(broken: Int) async throws {
        let fake = FakeClass(rows: rows(Array(repeating: 0, count: 5) + [1000]), pageMax: 2)
        let requests = Mutex(0)
        let transport = ScriptedTransport(answering: { request in
            let number = requests.withLock { number in
                defer { number += 1 }
                return number
            }
            return number == broken ? FakeClass(rows: [], pageMax: 2).answer(request) : fake.answer(request)
        })
        let remote = ParseRemote.make(transport)
        guard let found = try? await remote.created(in: "Holiday", since: ParseDate(milliseconds: 0)) else { return }
        #expect(!found.contains { $0.objectId == fake.rows[5].objectId } || found.count == 6)
    }

    @Test func aPullThatLooksBackFindsLateCommits() async throws {
        let early = rows([0, 10_000, 20_000])
        let (_, cursor, _) = try await pullAll(early, pageMax: 10)
        let late = FakeClass.Row(
            objectId: "late", createdMicroseconds: Self.base, updatedMicroseconds: Self.base + 15_000)
        let (pulled, _, _) = try await pullAll(
            early + [late], pageMax: 1, lookBackTo: ParseDate(milliseconds: Self.base / 1000 + 10), from: cursor)
        #expect(pulled.contains("late") && !pulled.contains(early[0].objectId))
    }

    @Test func anUnreadableCursorRestartsThePull() async throws {
        let rows = rows([0, 1000, 2000])
        for text in ["", "x", "a12", "a12 ", "g12 x", "q12 x", "a99999999999999999999 x", "skip=50"] {
            let (pulled, _, _) = try await pullAll(rows, pageMax: 10, from: PullCursor(text: text))
            #expect(pulled == rows.map(\.objectId), "\(text)")
        }
    }

    @Test(arguments: [
        KeysetPosition.from(ParseDate(milliseconds: -1)), .after(ParseDate(milliseconds: 5), objectId: "a b  c "),
        .within(ParseDate(milliseconds: 5), objectId: nil), .within(ParseDate(milliseconds: 5), objectId: " "), .start,
    ])
    func cursorsAreReadInTheFormInWhichTheyAreWritten(position: KeysetPosition) {
        #expect(KeysetPosition(position.cursor) == position)
    }

    /// A Date header is cut to whole seconds, so rows of the second in which the pull began belong to the pull.
    @Test(arguments: [(0, false), (999, false), (1000, true), (1500, true)])
    func aPageWithRowsChangedAfterTheStartOfThePullIsTheLast(milliseconds: Int64, isLast: Bool) async throws {
        let until = ParseDate(milliseconds: Self.base / 1000)
        let fake = FakeClass(rows: rows([-5_000_000, milliseconds * 1000]), pageMax: 10)
        let remote = ParseRemote.make(ScriptedTransport(answering: { fake.answer($0) }))
        let pages = try await remote.pull([PullRequest(className: "Holiday", cursor: nil, until: until)])
        #expect(pages.map(\.isLast) == [isLast])
    }

    @Test func aServerThatIgnoresQueryConditionsIsReportedAsFaulty() async throws {
        let whole = FakeClass(rows: rows([0, 1000, 1000]), pageMax: 10)
        let ties = FakeClass(rows: rows([0, 0, 0]), pageMax: 10)
        for fake in [whole, ties] {
            let transport = ScriptedTransport(answering: { request in
                var request = request
                request.url = request.path + "?order=updatedAt,objectId&limit=10"
                return fake.answer(request)
            })
            let remote = ParseRemote.make(transport)
            let ended = await word { () async throws(RemoteError) in
                var cursor: PullCursor?
                for _ in 0..<10 {
                    let pages = try await remote.pull([PullRequest(className: "Holiday", cursor: cursor)])
                    cursor = pages.first?.cursor
                }
            }
            #expect(ended == "faulty 200")
            #expect(
                await word { () async throws(RemoteError) in
                    let page = try await remote.objectIds(
                        of: PullQuery(className: "Holiday"), created: .all, after: nil)
                    _ = try await remote.objectIds(
                        of: PullQuery(className: "Holiday"), created: .all, after: page.stamps.map(\.objectId).last)
                } == "faulty 200")
        }
    }

    @Test func thePullsOfSeveralClassesAdvanceInOneBatch() async throws {
        let fake = FakeClass(rows: rows(Array(repeating: 456, count: 3)), pageMax: 10)
        let transport = ScriptedTransport(answering: { fake.answer($0) })
        let millisecond = ParseDate(milliseconds: Self.base / 1000)
        let over = KeysetPosition.within(millisecond, objectId: "zzz").cursor
        let pages = try await ParseRemote.make(transport).pull([
            PullRequest(className: "A", cursor: over, wantsCount: true), PullRequest(className: "B", cursor: nil),
            PullRequest(className: "C", cursor: over),
        ])
        #expect(pages.map(\.changes.count) == [0, 3, 0] && pages.map(\.count) == [3, nil, nil])
        #expect(pages.map(\.isLast) == [true, false, true])
        #expect(await transport.sent.map { $0.json?.object?["requests"]?.array?.count } == [6, 2])
    }

    /// For random page sizes and equal times, the pull ends and contains every row.
    @Test(arguments: 0..<60)
    func everyRowIsPulledAtLeastOnce(seed: Int) async throws {
        var random = SeededRandom(seed: UInt64(seed))
        let pageMax = Int.random(in: 1...7, using: &random)
        let times = (0..<Int.random(in: 1...6, using: &random)).map { _ in Int64.random(in: 0...4000, using: &random) }
        let rows = rows(
            (0..<Int.random(in: 0...40, using: &random)).map { _ in
                let time = times.randomElement(using: &random) ?? 0
                return Bool.random(using: &random) ? time / 1000 * 1000 : time
            }.sorted())
        let (pulled, cursor, _) = try await pullAll(rows, pageMax: pageMax)
        #expect(Set(pulled) == Set(rows.map(\.objectId)), "seed \(seed)")
        // After a complete pull, a second pull returns at most the rows of the last millisecond, and a third pull returns none.
        let (_, later, _) = try await pullAll(rows, pageMax: pageMax, from: cursor)
        let (again, _, requests) = try await pullAll(rows, pageMax: pageMax, from: later)
        #expect(rows.isEmpty || (again.isEmpty && requests == 1), "seed \(seed)")
    }

    /// Listings by id, listings by creation date, and reads by id contain every row, for random times and page sizes.
    @Test(arguments: 0..<30)
    func listsOfIdsAndOfCreatedObjectsContainEveryRowOnce(seed: Int) async throws {
        var random = SeededRandom(seed: UInt64(seed))
        let rows = rows((0..<30).map { _ in Int64.random(in: 0...9000, using: &random) })
        let fake = FakeClass(rows: rows, pageMax: Int.random(in: 1...7, using: &random))
        let remote = ParseRemote.make(ScriptedTransport(answering: { fake.answer($0) }))

        var listed: [String] = []
        while true {
            let page = try await remote.objectIds(
                of: PullQuery(className: "Holiday"), created: .all, after: listed.last)
            listed.append(contentsOf: page.stamps.map(\.objectId))
            if page.isLast { break }
        }
        #expect(listed.count == rows.count && Set(listed) == Set(rows.map(\.objectId)))

        let since = ParseDate(milliseconds: Self.base / 1000 + 4)
        let created = try await remote.created(in: "Holiday", since: since)
        let expected = rows.filter { $0.createdMicroseconds >= Self.base + 4000 }
        #expect(created.count == expected.count && Set(created.map(\.objectId)) == Set(expected.map(\.objectId)))

        let asked = ["nope"] + rows.map(\.objectId).shuffled(using: &random).prefix(12) + ["nope", "neither"]
        let fetched = try await remote.fetch("Holiday", objectIds: asked)
        #expect(fetched.count == 12 && Set(fetched.map(\.objectId)) == Set(asked).subtracting(["nope", "neither"]))
    }
}
