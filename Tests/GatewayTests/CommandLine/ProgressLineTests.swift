import ParseModel
import StoreService
import Synchronization
import Testing

@testable import tidegate

struct ProgressLineTests {
    /// A line with a clock and a terminal of the test.
    private final class Screen: Sendable {
        private let now = Mutex(Duration.seconds(100))
        private let texts = Mutex<[String]>([])

        var drawn: [String] { texts.withLock { $0 } }

        func advance(_ milliseconds: Int) { now.withLock { $0 += .milliseconds(milliseconds) } }

        func line(isShown: Bool = true) -> ProgressLine {
            ProgressLine(
                isShown: isShown, uptime: { self.now.withLock { $0 } },
                draw: { text in self.texts.withLock { $0.append(text) } })
        }
    }

    @Test func theTimeLeftFollowsFromThePartThatIsDone() {
        let progress = WorkProgress(step: "Copying", done: 50_000_000, total: 200_000_000, part: 0.25)
        #expect(ProgressLine.text(progress, after: .seconds(10)) == "Copying · 50.0 MB of 200.0 MB · 25% · 30 s left")
        func text(_ part: Double) -> String {
            ProgressLine.text(WorkProgress(step: "Copying", part: part), after: .seconds(100))
        }
        #expect(text(0.01) == "Copying · 1%")
        #expect(text(0.1) == "Copying · 10% · 15 min left")
        #expect(text(0.02) == "Copying · 2% · 81 min left")
        #expect(text(1.5) == "Copying · 100% · 0 s left")
    }

    @Test func workThatIsNotMeasuredIsNamed() {
        #expect(ProgressLine.text(WorkProgress(step: "Checking the copy"), after: .seconds(9)) == "Checking the copy")
        let counted = WorkProgress(step: "Exporting Task", unit: .objects, done: 1)
        #expect(ProgressLine.text(counted, after: .seconds(9)) == "Exporting Task · 1 object")
    }

    @Test func aStepIsDrawnTenTimesASecondAndTheNextOneAtOnce() {
        let screen = Screen()
        let line = screen.line()
        for done in 0..<100 {
            line.show(WorkProgress(step: "A", unit: .files, done: done))
            screen.advance(20)
        }
        #expect(screen.drawn.count == 20)
        line.show(WorkProgress(step: "B"))
        #expect(screen.drawn.last == "B")
        line.end()
        line.end()
        #expect(screen.drawn.suffix(2) == ["B", ""])
    }

    @Test func nothingIsDrawnWithoutATerminal() {
        let screen = Screen()
        let line = screen.line(isShown: false)
        line.show(WorkProgress(step: "A"))
        line.end()
        #expect(screen.drawn.isEmpty)
    }

    @Test func anImportIsHalfDoneWhenItsObjectsAreChecked() {
        let checked: JSONObject = ["pass": "check", "objects": 3, "refused": 0, "bytes": 60, "bytesTotal": 120]
        let written: JSONObject = ["pass": "write", "objects": 6, "refused": 2, "bytes": 60, "bytesTotal": 120]
        func text(_ line: JSONObject, isDryRun: Bool = false) -> String {
            ProgressLine.text(
                ImportTexts.progress(line, of: "Task", isDryRun: isDryRun), after: .seconds(10),
                remark: ImportTexts.refused(line))
        }
        #expect(text(checked) == "Checking Task · 3 objects · 25% · 30 s left")
        #expect(text(checked, isDryRun: true) == "Checking Task · 3 objects · 50% · 10 s left")
        #expect(text(written) == "Writing Task · 6 objects · 75% · 3 s left · 2 refused")
    }

    @Test(arguments: [1, 2, 7, 1000]) func objectsAreCountedInPiecesOfAFile(pieceBytes: Int) {
        let files: [(ExportCommand.Format, String, Int)] = [
            (.ndjson, "{\"a\":1}\n{\"a\":\"\\n\"}\n", 2), (.ndjson, "", 0),
            (.parse, "{\"results\":[\n{\"a\":1},\n{\"a\":2}\n]}\n", 2), (.parse, "{\"results\":[\n]}\n", 0),
            (.csv, "objectId,a\r\n1,\"x\n\"\"y\"\"\"\r\n2,z\r\n", 2), (.csv, "objectId\r\n", 0),
        ]
        for (format, text, objects) in files {
            var (count, rest) = (ObjectCount(format), Array(text.utf8)[...])
            while !rest.isEmpty {
                count.take(rest.prefix(pieceBytes))
                rest = rest.dropFirst(pieceBytes)
            }
            #expect(count.objects == objects, "\(text)")
        }
    }
}
