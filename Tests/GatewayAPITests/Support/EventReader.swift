import HTTPServer
import Testing

/// Reads the events of a change stream in the place of the HTTP server, without a socket.
final class EventReader {
    struct Event: Hashable {
        var id: String?
        /// The name of the event. Nil for a comment, and for an event that has only an id.
        var name: String?
        var data: String?
    }

    let stream: any HTTPBodyStream
    private let wakes: AsyncStream<Void>
    private var text = ""

    init(_ answer: Answer) throws {
        guard case .stream(let stream) = answer.response.content else {
            throw try #require(nil as (any Error)?, "the answer is no stream: \(answer.text)")
        }
        self.stream = stream
        let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.wakes = wakes
        stream.setWaker { wake.yield() }
    }

    deinit { stream.closed() }

    /// Waits for the next event. Nil at the end of the stream.
    func next() async -> Event? {
        while true {
            switch stream.next() {
            case .bytes(let bytes): return Self.event(String(decoding: bytes, as: UTF8.self))
            case .end: return nil
            case .wait:
                for await _ in wakes { break }
                if Task.isCancelled { return nil }
            }
        }
    }

    /// Skips events until one has this name.
    func next(_ name: String) async -> Event? {
        while let event = await next() { if event.name == name { return event } }
        return nil
    }

    /// The numbers of the next changes in the stream, for example `[3, 4]`.
    func changes(_ count: Int) async -> [Int] {
        var numbers: [Int] = []
        while numbers.count < count, let event = await next("change") { numbers.append(Int(event.id ?? "") ?? 0) }
        return numbers
    }

    private static func event(_ text: String) -> Event {
        #expect(text.hasSuffix("\n\n"))
        var event = Event()
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1).map { String($0).trimmingPrefix(" ") }
            switch parts.first {
            case "id": event.id = String(parts[1])
            case "event": event.name = String(parts[1])
            case "data": event.data = String(parts[1])
            default: break
            }
        }
        return event
    }
}
