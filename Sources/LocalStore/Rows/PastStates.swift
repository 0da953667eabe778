import ParseModel
import SyncModel
import Synchronization

/// Earlier views of recently changed objects, in memory. For a write that names the view on which it is based, a comparison of
/// this view with the present one shows which fields have changed since.
///
/// The oldest views are dropped above `bytesMax` bytes and above `countMax` views.
final class PastStates: Sendable {
    private struct Kept {
        let object: Pointer
        let text: String
    }

    private struct State {
        var texts: [Pointer: [String]] = [:]
        /// The states in order of arrival. Entries before the index `head` have been dropped.
        var queue: [Kept] = []
        var head = 0
        var byteCount = 0
    }

    private let state = Mutex(State())
    private let bytesMax: Int
    private let countMax: Int

    init(bytesMax: Int = 4 << 20, countMax: Int = 10_000) {
        self.bytesMax = bytesMax
        self.countMax = countMax
    }

    /// Adds an earlier view of an object, as the JSON that the API returned.
    func note(_ className: String, _ objectId: String, _ text: String) {
        let object = Pointer(className: className, objectId: objectId)
        state.withLock { state in
            state.texts[object, default: []].append(text)
            state.queue.append(Kept(object: object, text: text))
            state.byteCount += text.utf8.count
            while state.byteCount > bytesMax || state.queue.count - state.head > countMax {
                let oldest = state.queue[state.head]
                state.head += 1
                state.byteCount -= oldest.text.utf8.count
                state.texts[oldest.object]?.removeFirst()
                if state.texts[oldest.object]?.isEmpty == true { state.texts[oldest.object] = nil }
            }
            guard state.head * 2 > state.queue.count else { return }
            state.queue.removeFirst(state.head)
            state.head = 0
        }
    }

    /// The object's earlier states with this `updatedAt`, oldest first. There may be several: a pulled row can change the view of
    /// an object with pending work without changing its `updatedAt`.
    func states(_ className: String, _ objectId: String, updatedAt: ParseDate) -> [ObjectState] {
        let object = Pointer(className: className, objectId: objectId)
        let texts = state.withLock { $0.texts[object] ?? [] }
        let mark = "\"updatedAt\":\"\(updatedAt.iso)\"".utf8
        return texts.filter { $0.utf8.firstRange(of: mark) != nil }
            .compactMap {
                (try? JSONReader.read($0, depthMax: JSONReader.storedDepthMax))?.object.flatMap(ObjectState.init(json:))
            }
            .filter { $0.updatedAt == updatedAt }
    }
}
