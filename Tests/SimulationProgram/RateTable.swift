import Foundation
import Simulation

/// The table that `--rates` prints, with one line for each deliberate bug (`Sabotage`).
enum RateTable {
    private static let header = row(["break", "kind", "data fault", "found", "seeds", "share", "first seed"])

    /// Prints one line of the table as soon as its figures are known: the whole table takes minutes.
    /// - Parameter rate: the figures for the bug in this line; nil to print the header.
    static func print(_ rate: BreakRate?) {
        FileHandle.standardOutput.write(Data(((rate.map(line) ?? header) + "\n").utf8))
    }

    private static func line(_ rate: BreakRate) -> String {
        let perMille = Int((rate.share * 1000).rounded())
        return row([
            rate.sabotage.rawValue, rate.sabotage.kind.rawValue, rate.sabotage.dataFault?.rawValue ?? "none",
            "\(rate.found.count)", "\(rate.seeds)", "\(perMille / 10).\(perMille % 10)%",
            rate.found.first.map { "\($0)" } ?? "none",
        ])
    }

    private static let widths = [24, 14, 15, 6, 6, 7, 11]
    /// The number of left-aligned columns. Columns of numbers are right-aligned.
    private static let wordColumns = 3

    private static func row(_ cells: [String]) -> String {
        zip(cells, widths).enumerated().map { index, cell in
            let (text, width) = cell
            let padding = String(repeating: " ", count: max(0, width - text.count))
            return index < wordColumns ? text + padding : padding + text
        }.joined(separator: " ")
    }
}
