import SyncModel
import Testing

/// Every sequence of up to six events, on both sides of an object, keeps the invariants.
@Suite("Short event sequences")
struct ShortLivesTests {
    @Test(arguments: ConflictPolicy.allCases, ShortLife.Beginning.allCases)
    func syncInvariantsHoldInAllShortSequencesOfEvents(policy: ConflictPolicy, beginning: ShortLife.Beginning) {
        let lives = ShortLives(policy: policy, beginning: beginning, happeningsMax: 6)
        #expect(lives.broken == [])
        #expect(lives.count > 500)
    }

    /// An enumeration in which nothing happens would keep every invariant.
    @Test func shortEventSequencesReachEveryObjectState() {
        var happened: Set<ShortLife.Happening> = []
        for beginning in ShortLife.Beginning.allCases {
            happened.formUnion(ShortLives(policy: .manual, beginning: beginning, happeningsMax: 5).happened)
        }
        #expect(happened == Set(ShortLife.Happening.allCases))
    }
}

/// Enumerates the sequences of events up to a length. Sequences that end in the same state continue only once.
struct ShortLives {
    private(set) var happened: Set<ShortLife.Happening> = []
    /// The first sequences that violated an invariant, with the violation.
    private(set) var broken: [String] = []
    /// The number of different states.
    private(set) var count = 0
    private(set) var transitions: Set<StepTable.Transition> = []
    private(set) var lives: [ShortLife: [ShortLife.Happening]] = [:]

    init(policy: ConflictPolicy, beginning: ShortLife.Beginning, happeningsMax: Int) {
        lives = [ShortLife(policy: policy, beginning: beginning): []]
        for _ in 1...happeningsMax {
            var next: [ShortLife: [ShortLife.Happening]] = [:]
            for (life, sequence) in lives {
                for happening in ShortLife.Happening.allCases {
                    var later = life
                    guard let lines = later.happens(happening) else { continue }
                    happened.insert(happening)
                    transitions.formUnion(later.transitions)
                    later.forgetTransitions()
                    let sequence = sequence + [happening]
                    if !lines.isEmpty, broken.count < 5 { broken.append("\(sequence.map(\.rawValue)): \(lines)") }
                    if lines.isEmpty, next[later] == nil { next[later] = sequence }
                }
            }
            lives = next
            count += lives.count
        }
    }
}
