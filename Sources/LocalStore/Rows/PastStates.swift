import ParseModel
import SyncModel
import Synchronization

/// Keeps earlier states of recently changed objects in memory. A client can name the state on which its write is based.
/// A comparison of this state with the present one shows which fields have changed since.
///
/// The oldest states are dropped if there are more than `countMax` of them, or if they take more than `bytesMax` bytes.
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

    /// Adds an earlier state of an object, as the JSON that the API has returned.
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

    /// The object's earlier states with this `updatedAt`, oldest first. There can be several, because a pulled row can
    /// change an object with pending changes without changing its `updatedAt`.
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
