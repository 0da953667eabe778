/// Rows with aligned columns.
struct Table {
    /// One cell of a table.
    struct Cell: ExpressibleByStringInterpolation {
        var text: String
        var style: TextStyle?

        init(_ text: String, _ style: TextStyle? = nil) { (self.text, self.style) = (text, style) }
        init(stringLiteral value: String) { self.init(value) }
    }

    /// The names of the columns; empty for a table without them.
    var head: [String]
    var rows: [[Cell]]
    /// False to leave out the names of the columns, for a table that continues another one.
    var showsHead = true

    /// The columns between two columns of the table.
    private static let gap = 2
    /// The columns to which a column of the table is cut before columns are left out.
    private static let widthMin = 8

    /// The lines of the table, with the names of the columns first. On a terminal, wide columns are cut to fit. If that
    /// is not enough, the last columns are left out, and `…` stands for them.
    func lines(in terminal: Terminal) -> [String] {
        let head = head.map { VisibleText.line($0) }
        let texts = rows.map { $0.map { VisibleText.line($0.text) } }
        let count = max(head.count, texts.map(\.count).max() ?? 0)
        let natural = (0..<count).map { column in
            ([head] + texts).map { column < $0.count ? DisplayWidth.of($0[column]) : 0 }.max() ?? 0
        }
        let widths = terminal.columns.map { Self.fitting(natural, in: $0) } ?? natural
        let omits = widths.count < count
        var lines: [String] = []
        if showsHead, !head.isEmpty {
            lines.append(line(head.map { ($0, terminal.hasColors ? .bold : nil) }, widths, omits))
        }
        for (row, texts) in zip(rows, texts) {
            lines.append(line(zip(texts, row).map { ($0, terminal.hasColors ? $1.style : nil) }, widths, omits))
        }
        return lines
    }

    private func line(_ cells: [(text: String, style: TextStyle?)], _ widths: [Int], _ omits: Bool) -> String {
        let shown = Array(zip(cells, widths))
        let last = shown.lastIndex { !$0.0.text.isEmpty } ?? 0
        var line = ""
        for (index, (cell, width)) in shown.enumerated() where index <= last || omits {
            let text = DisplayWidth.cut(cell.text, to: width)
            line += cell.style.map { $0.text(text) } ?? text
            if index < last || omits {
                line += String(repeating: " ", count: max(0, width - DisplayWidth.of(text)) + Self.gap)
            }
        }
        return omits ? line + "…" : line
    }

    /// The widths of the shown columns. The first column keeps its width, because it has the ids. Of the others, the
    /// widest are cut first.
    static func fitting(_ natural: [Int], in columns: Int) -> [Int] {
        var widths = natural
        while true {
            let omits = widths.count < natural.count
            let used = widths.reduce(0, +) + gap * max(0, widths.count - 1) + (omits ? gap + 1 : 0)
            guard used > columns else { return widths }
            let sorted = Set(widths.dropFirst()).sorted(by: >)
            if let widest = sorted.first, widest > widthMin {
                // Cuts the widest columns to the next width, or as far as needed.
                let next = max(sorted.dropFirst().first ?? 0, widthMin)
                let among = widths.dropFirst().count { $0 == widest }
                let step = min(widest - next, (used - columns + among - 1) / among)
                for index in widths.indices.dropFirst() where widths[index] == widest { widths[index] -= step }
            } else if widths.count > 1 {
                // The other columns get their room back.
                widths = Array(natural.prefix(widths.count - 1))
            } else {
                return widths.map { min($0, max(1, columns - (omits ? gap + 1 : 0))) }
            }
        }
    }
}
