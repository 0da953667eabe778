import ParseModel
import RemoteService
import SyncModel
import SyncModelSupport
import Testing

@testable import SyncEngine

@Suite("Push planner")
struct PushPlannerTests {
    /// An outbox in a short notation. `a>b!`: object a points to b and was attempted before. `a:b`: a waits for the
    /// create of b. `-a` is a delete, `+a` a create, and a plain name an update.
    private func entries(_ line: String) -> [OutboxEntry] {
        line.split(separator: " ").enumerated().map { place, word in
            var rest = word
            let kind: PendingStep.Kind
            switch rest.first {
            case "+": kind = .create
            case "-": kind = .delete
            default: kind = .update
            }
            if kind != .update { rest = rest.dropFirst() }
            let wasAttempted = rest.last == "!"
            if wasAttempted { rest = rest.dropLast() }
            let name = String(rest.prefix(1))
            var body: JSONObject = kind == .delete ? [:] : ["n": 1]
            var awaits: [String] = []
            for target in rest.dropFirst().split(whereSeparator: ">:".contains) {
                body["to\(target)"] = [["deep": Pointer.holiday(String(target)).json]]
            }
            if rest.dropFirst().first == ":" {
                awaits = rest.dropFirst().split(whereSeparator: ">:".contains).map(String.init)
            }
            return .make(
                name, id: Int64(place + 1), .make(kind, body, wasAttempted: wasAttempted),
                base: kind == .create ? nil : [:], awaits: awaits)
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let outbox: String
        /// The expected plan: the names that are sent, `nothing`, or `break a tob`, a create of `a` without its
        /// pointer to `b`.
        let plan: String
        let why: String
        var testDescription: String { why }

        init(_ outbox: String, _ plan: String, _ why: String) {
            self.outbox = outbox
            self.plan = plan
            self.why = why
        }
    }

    private func words(_ plan: PushPlanner.Plan) -> String {
        switch plan {
        case .send(let batch, _): batch.map(\.objectId).joined(separator: " ")
        case .breakCycle(let entry, let fields): (["break", entry.objectId] + fields).joined(separator: " ")
        case .nothing: "nothing"
        }
    }

    /// The plan of single batches.
    private func plan(_ entries: [OutboxEntry], batchMax: Int) -> PushPlanner.Plan {
        PushPlanner.plan(entries, batchMax: batchMax, batchesMax: 1) { _ in .certain }
    }

    /// Of entries `a` to `j`, the updates are provable, and the creates are not.
    @Test(arguments: [
        ("a b c d e f g", "a b c d e f", true, "several batches of what can be proven"),
        ("a b c d", "a b c d", false, "more entries would make the group larger"),
        ("a b c d +e f", "a b c d", true, "what cannot be proven is not overtaken"),
        ("+a b c d e f", "a b c", true, "and goes in one batch"),
        ("a>b b c d e", "a c d e", false, "an object is not sent beside what it points to"),
        ("a! b c d e f", "a", true, "what may have been executed goes alone"),
    ])
    func thePushPlannerChoosesTheExpectedBatches(outbox: String, names: String, isFull: Bool, why: String) {
        let plan = PushPlanner.plan(entries(outbox), batchMax: 3, batchesMax: 2) {
            $0.step.kind == .update ? .certain : .none
        }
        #expect(words(plan) == names, "\(why)")
        guard case .send(_, let isFullNow) = plan else { return }
        #expect(isFullNow == isFull, "\(why)")
    }

    /// Of entries `a` to `j`, the updates are provable, and the creates are found by a search.
    @Test(arguments: [
        ("+a +b +c +d +e +f +g", "a b c d", "no more than two batches of what is searched for"),
        ("a +b c +d e +f g", "a b c d", "with what is proven"),
        ("a b c d e f +g", "a b c d e f", "and not before more of what is proven"),
    ])
    func createsWhoseProofNeedsASearchAreSentInAtMostTwoBatches(outbox: String, names: String, why: String) {
        let plan = PushPlanner.plan(entries(outbox), batchMax: 2, batchesMax: 4) {
            $0.step.kind == .update ? .certain : .likely
        }
        #expect(words(plan) == names, "\(why)")
    }

    @Test(arguments: [
        Case("", "nothing", "an empty outbox"),
        Case("+a b -c +d", "a b c d", "what is independent goes together, in order"),
        Case("+a +b +c +d +e +f", "a b c d e", "no more than the batch may hold"),
        Case("+a:b +b +c", "b c", "what is pointed to goes first, others with it"),
        Case("+a:b +b:c +c", "c", "a chain goes from its end"),
        Case("a>x b>x c>y", "a b c", "pointers to what has no work of its own hold nothing up"),
        Case("a>b b c", "a c", "an object and what it points to, in two batches"),
        Case("b a>b c", "b c", "the same, the other way round"),
        Case("a>b -b", "a", "what is pointed to is not deleted beside it"),
        Case("a>b b>a", "a", "objects that point to each other"),
        Case("a>c b>c c d>c", "a b d", "the one that several point to waits"),
        Case("a! b c", "a", "what may have been executed goes alone"),
        Case("a b! c", "a c", "and waits for its turn"),
        Case("b! c!", "b", "two of that kind, one by one"),
        Case("+a:x b", "b", "what waits for somebody's decision holds up nothing else"),
        Case("+a:x", "nothing", "and is all that is left"),
        Case("+a:x +b:a", "nothing", "with what waits for it in turn"),
        Case("+a:a", "break a toa", "an object that points to itself"),
        Case("+a:b +b:a", "break a tob", "two that wait for each other"),
        Case("+a:b +b:c +c:a", "break a tob", "three in a circle"),
        Case("+d:a +a:b +b:a", "break a tob", "one that waits for a circle is no part of it"),
        Case("u:a +a:b +b:a", "break a tob", "nor is an update that waits for it"),
        Case("+a:b +b:a c", "c", "a circle is broken when nothing else can go"),
        Case("+a:b>c +b:a +c:a", "break a tob toc", "in two circles at once"),
    ])
    func thePushPlannerChoosesTheExpectedBatch(_ item: Case) {
        #expect(words(plan(entries(item.outbox), batchMax: 5)) == item.plan)
    }

    @Test func onlyPointersInACircleOfCreatesAreDeferred() {
        let pointers: JSONObject = ["name": "x", "b": Pointer.holiday("b").json, "old": Pointer.holiday("z").json]
        let a = OutboxEntry.make("a", id: 1, .make(.create, pointers), awaits: ["b"])
        let b = OutboxEntry.make("b", id: 2, .make(.create, ["a": Pointer.holiday("a").json]), awaits: ["a"])
        #expect(plan([a, b], batchMax: 50) == .breakCycle(a, deferring: ["b"]))
    }

    @Test func thePushPlannerDistinguishesEqualIdsOfDifferentClasses() {
        let a = OutboxEntry.make("a", id: 1, .make(.update, ["to": Pointer(className: "Country", objectId: "b").json]))
        let b = OutboxEntry.make("b", id: 2, .make(.update, ["n": 1]))
        #expect(plan([a, b], batchMax: 50) == .send([a, b], isFull: false))
    }

    @Test func everyOutboxEntryIsEventuallyPlanned() {
        var outbox = entries("+a:b +b:c +c d>a e>d f! -g h>g +i:j>h +j:k +k")
        var sent: [String] = []
        for _ in 0..<20 {
            guard case .send(let batch, _) = plan(outbox, batchMax: 3) else { break }
            let done = Set(batch.map(\.pointer))
            sent += batch.map(\.objectId)
            outbox = outbox.filter { !done.contains($0.pointer) }.map { entry in
                OutboxEntry(
                    id: entry.id, className: entry.className, objectId: entry.objectId, step: entry.step,
                    requestId: entry.requestId, attempts: entry.attempts, attemptedAt: entry.attemptedAt,
                    unansweredAt: entry.unansweredAt,
                    base: entry.base, awaits: entry.awaits.subtracting(done))
            }
        }
        #expect(outbox.isEmpty)
        #expect(sent.sorted() == ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"])
    }
}
