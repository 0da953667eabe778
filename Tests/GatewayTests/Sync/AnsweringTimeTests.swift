import Testing

@testable import Gateway

/// Tests the sum of the times during which the remote answered.
struct AnsweringTimeTests {
    private func time(_ samples: [(Int, Bool)]) -> AnsweringTime {
        var time = AnsweringTime(bound: .seconds(100), gapMax: .seconds(50))
        for (now, answers) in samples { time.note(answers, at: .seconds(now)) }
        return time
    }

    @Test func horizonLiesTheWholeTimeBeforeTheLatestAnswer() {
        #expect(time([(0, true), (50, true)]).horizon == nil)
        #expect(time([(0, true), (50, true), (100, true)]).horizon == .seconds(0))
        #expect(time([(0, true), (50, true), (100, true), (130, true)]).horizon == .seconds(30))
    }

    @Test func timeWithoutAnswersDoesNotCount() {
        let samples = [(0, true), (40, true), (50, false), (90, true), (130, true)]
        #expect(time(samples).horizon == nil)
        #expect(time(samples + [(150, true)]).horizon == .seconds(0))
        // While the remote is silent, the horizon stays.
        #expect(time(samples + [(150, true), (160, false), (170, false)]).horizon == .seconds(0))
        #expect(time(samples + [(150, true), (170, true)]).horizon == .seconds(20))
    }

    @Test func timeWithoutSamplesDoesNotCount() {
        #expect(time([(0, true), (50, true), (500, true), (540, true)]).horizon == nil)
        #expect(time([(0, true), (50, true), (500, true), (550, true)]).horizon == .seconds(0))
    }

    @Test func remoteThatRarelyAnswersTwiceInARowHasNoHorizon() {
        var time = AnsweringTime(bound: .seconds(100), gapMax: .seconds(50))
        for round in 0..<5000 {
            time.note(true, at: .milliseconds(round * 1000))
            time.note(true, at: .milliseconds(round * 1000 + 50))
            time.note(false, at: .milliseconds(round * 1000 + 100))
        }
        #expect(time.horizon == nil)
    }
}
