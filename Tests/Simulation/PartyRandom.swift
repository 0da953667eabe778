import ParseModel
import Synchronization

/// A stream of random numbers for one part of the simulation, for example the network of one replica. It is determined
/// by the seed and the name of the part, so that one part's use of random numbers does not change those of another
/// part.
final class PartyRandom: Sendable {
    private let random: Mutex<SeededRandom>

    init(seed: UInt64, of party: String) {
        random = Mutex(SeededRandom(seed: Fingerprint(seed).adding(party).value))
    }

    func next() -> UInt64 { random.withLock { $0.next() } }

    func below(_ count: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(max(1, count))).high) }

    func within(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

    func chance(_ probability: Double) -> Bool { Double(next() >> 11) * 0x1p-53 < probability }

    func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[below(elements.count)]
    }

    /// Picks one of the choices with a probability proportional to its weight.
    func pick<Element>(weighted choices: [(Element, weight: Int)]) -> Element? {
        var place = below(choices.reduce(0) { $0 + $1.weight })
        for (choice, weight) in choices {
            if place < weight { return choice }
            place -= weight
        }
        return nil
    }
}

/// An FNV-1a hash. It gives the same value in every process.
struct Fingerprint: Sendable, Hashable {
    private(set) var value: UInt64

    init(_ seed: UInt64 = 0) { value = 0xcbf2_9ce4_8422_2325 ^ (seed &* 0x9E37_79B9_7F4A_7C15) }

    mutating func add(_ text: String) {
        for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }

    func adding(_ text: String) -> Fingerprint {
        var sum = self
        sum.add(text)
        return sum
    }
}
