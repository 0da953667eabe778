import Testing

@testable import tidegate

struct TableTests {
    private let plain = Terminal(columns: nil, hasColors: false)

    @Test func columnsAreAlignedByTheirWidthOnATerminal() {
        let table = Table(
            head: ["id", "name", "n"], rows: [["1", "日本語", "2"], ["22", "e\u{301}te", "10"], ["3", "👩‍👩‍👧🇫🇷", "4"]])
        #expect(
            table.lines(in: plain) == [
                "id  name    n", "1   日本語  2", "22  e\u{301}te     10", "3   👩‍👩‍👧🇫🇷    4",
            ])
    }

    @Test(arguments: [10, 20, 24, 33, 60, 200])
    func noLineIsWiderThanTheTerminal(columns: Int) {
        let table = Table(
            head: ["objectId", "name", "note", "updatedAt"],
            rows: [
                ["Fp0Zk4QzVd", "日本語のとても長い名前です", "short", "2027-01-01T00:00:00.000Z"],
                ["Fp0Zk4QzVe", "a", "A note that is much longer than a terminal is wide", "2027-01-01T00:00:00.000Z"],
            ])
        let lines = table.lines(in: Terminal(columns: columns, hasColors: false))
        for line in lines { #expect(DisplayWidth.of(line) <= columns, "\(line)") }
        if columns >= 13 { #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("Fp0Zk4QzV") }) }
    }

    @Test func theWidestColumnsAreCutFirst() {
        #expect(Table.fitting([10, 40, 5, 60], in: 200) == [10, 40, 5, 60])
        #expect(Table.fitting([10, 40, 5, 60], in: 90) == [10, 34, 5, 34])
        #expect(Table.fitting([10, 40, 60], in: 16) == [10])
    }

    @Test func aLeftOutColumnIsShownAsAnEllipsis() {
        let table = Table(head: ["id", "first", "second"], rows: [["1234567890", "abcdefghijkl", "abcdefghijkl"]])
        #expect(
            table.lines(in: Terminal(columns: 24, hasColors: false)) == [
                "id          first      …", "1234567890  abcdefgh…  …",
            ])
    }

    @Test func escapeSequencesInNamesAndValuesAreShownAndNotExecuted() {
        let table = Table(head: ["a\u{1B}]0;title\u{7}"], rows: [["\u{1B}[31mred\n\t\r\u{9B}2J\u{202E}abc\u{7F}"]])
        #expect(
            table.lines(in: plain) == [
                #"a\u001b]0;title\u0007"#, #"\u001b[31mred\n\t\r\u009b2J\u202eabc\u007f"#,
            ])
    }

    @Test func textsWithoutControlCharactersStayAsTheyAre() {
        for text in ["plain", "日本語", "👩‍👩‍👧", #"a\nb"#, ""] { #expect(VisibleText.line(text) == text) }
        #expect(VisibleText.lines("a\nb\u{1B}") == #"a\#nb\u001b"#)
    }

    @Test func colorsAreUsedOnlyWhereATerminalWantsThem() {
        let table = Table(head: ["id"], rows: [[Table.Cell("1", .yellow)]])
        #expect(
            table.lines(in: Terminal(columns: 80, hasColors: true)) == ["\u{1B}[1mid\u{1B}[0m", "\u{1B}[33m1\u{1B}[0m"])
        #expect(table.lines(in: Terminal(columns: 80, hasColors: false)) == ["id", "1"])
        #expect(Terminal.wantsColors(["TERM": "xterm"]))
        #expect(Terminal.wantsColors(["TERM": "xterm", "NO_COLOR": ""]))
        #expect(!Terminal.wantsColors(["TERM": "xterm", "NO_COLOR": "1"]))
        #expect(!Terminal.wantsColors(["TERM": "dumb"]))
        #expect(!Terminal.wantsColors([:]))
    }
}
