import StoreService
import Testing

@testable import GatewayAPI

@Suite struct FeedWindowTests {
    private func events(_ numbers: ClosedRange<Int64>) -> [FeedEvent] {
        numbers.map { number in
            FeedEvent(
                ChangeEntry(
                    number: number, className: number % 2 == 0 ? "Even" : "Odd", objectId: "a", kind: .update,
                    json: "{}"))
        }
    }

    /// Reads the changes after a position. The result has their numbers and the position for the next read, or is nil
    /// if the window does not reach back far enough.
    private func read(_ window: FeedWindow, _ position: Int64, _ classes: Set<String>? = nil) -> ([Int64], Int64)? {
        guard case .events(let events, let position) = window.read(after: position, classes) else { return nil }
        return (events.map(\.number), position)
    }

    @Test func windowOfRecentChangesHoldsChangesAfterItsStart() throws {
        var window = FeedWindow(at: 10)
        #expect(try #require(read(window, 10)) == ([], 10))
        #expect(read(window, 9) == nil)
        window.append(events(11...13), after: 10, newest: 13)
        #expect(try #require(read(window, 10)) == ([11, 12, 13], 13))
        #expect(try #require(read(window, 12)) == ([13], 13))
        #expect(try #require(read(window, 13)) == ([], 13))
        // A reader's position may be newer than the window's newest change.
        #expect(try #require(read(window, 20)) == ([], 20))
    }

    @Test func windowOfRecentChangesSkipsOtherClasses() throws {
        var window = FeedWindow(at: 0)
        window.append(events(1...6), after: 0, newest: 6)
        #expect(try #require(read(window, 0, ["Even"])) == ([2, 4, 6], 6))
        #expect(try #require(read(window, 0, ["Other"])) == ([], 6))
    }

    @Test func windowOfRecentChangesIgnoresDuplicates() throws {
        var window = FeedWindow(at: 5)
        window.append(events(3...7), after: 2, newest: 7)
        window.append(events(6...8), after: 5, newest: 8)
        #expect(try #require(read(window, 5)) == ([6, 7, 8], 8))
    }

    @Test func windowOfRecentChangesRefusesChangesAfterAGap() throws {
        var window = FeedWindow(at: 5)
        window.append(events(8...9), after: 7, newest: 9)
        #expect(window.newest == 5)
        window.append(events(6...9), after: 5, newest: 9)
        #expect(try #require(read(window, 5)) == ([6, 7, 8, 9], 9))
    }

    @Test func fullWindowOfRecentChangesDropsTheOldest() throws {
        var window = FeedWindow(at: 0, eventsMax: 4)
        for first in stride(from: Int64(1), through: 28, by: 3) {
            window.append(events(first...first + 2), after: first - 1, newest: first + 2)
        }
        #expect(window.newest == 30)
        #expect(try #require(read(window, 26)) == ([27, 28, 29, 30], 30))
        guard case .behind(let count) = window.read(after: 25, nil) else {
            return #expect(Bool(false), "26 should have made room")
        }
        #expect(count == 5)
    }

    @Test func windowOfRecentChangesIsBoundedInBytes() throws {
        var window = FeedWindow(at: 0, bytesMax: 200)
        window.append(events(1...9), after: 0, newest: 9)
        #expect(read(window, 0) == nil)
        #expect(try #require(read(window, 8)) == ([9], 9))
        // The window does not keep a change that is larger than the window's size limit.
        var narrow = FeedWindow(at: 0, bytesMax: 10)
        narrow.append(events(1...2), after: 0, newest: 2)
        #expect(read(narrow, 1) == nil)
        #expect(try #require(read(narrow, 2)) == ([], 2))
    }

    @Test func windowOfRecentChangesReturnsABoundedNumberPerRead() throws {
        var window = FeedWindow(at: 0)
        window.append(events(1...100), after: 0, newest: 100)
        let first = try #require(read(window, 0))
        #expect(first.0 == Array(1...32) && first.1 == 32)
        let odd = try #require(read(window, 0, ["Odd"]))
        #expect(odd.0.last == 63 && odd.1 == 63)
    }
}
