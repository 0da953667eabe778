import Foundation
import ParseModel

/// The functions of filters.
struct FilterFunctions {
    let isAzure: Bool

    /// Calls a function with values. A null argument or a missing one makes the result null.
    func call(_ function: FilterFunction, _ arguments: [Cell]) -> Cell {
        let texts = arguments.compactMap(\.text)
        guard texts.count == arguments.count, let first = texts.first else { return .null }
        let second = texts.count > 1 ? texts[1] : ""
        switch function {
        case .tolower: return .text(isAzure ? lowerASCII(first) : first.lowercased())
        case .toupper: return .text(isAzure ? upperASCII(first) : first.uppercased())
        case .trim: return .text(first.trimmingCharacters(in: CharacterSet(charactersIn: " ")))
        case .concat: return .text(first + second)
        case .replace: return .text(texts.count > 2 ? first.replacing(second, with: texts[2]) : first)
        case .substring: return .text(substring(first, arguments))
        case .length: return .number(Double(first.count))
        case .round: return .number((arguments[0].double ?? 0).rounded())
        case .floor: return .number((arguments[0].double ?? 0).rounded(.down))
        case .ceiling: return .number((arguments[0].double ?? 0).rounded(.up))
        case .startswith, .endswith, .substringof, .contains, .indexof: return search(function, first, second)
        case .year, .month, .day, .hour, .minute, .second: return part(function, first)
        }
    }

    /// Searches for a text. The Node server joins the pattern for `LIKE` with `+`, which SQLite takes for an addition.
    /// The result is no pattern, so the search finds nothing.
    private func search(_ function: FilterFunction, _ first: String, _ second: String) -> Cell {
        switch function {
        case .indexof:
            if isAzure { return .number(-1) }
            return .number(
                first.range(of: second).map { Double(first.distance(from: first.startIndex, to: $0.lowerBound)) } ?? -1)
        case .startswith: return .bool(!isAzure && first.hasPrefix(second))
        case .endswith: return .bool(!isAzure && first.hasSuffix(second))
        default: return .bool(!isAzure && (second.isEmpty || first.contains(second)))
        }
    }

    private func substring(_ text: String, _ arguments: [Cell]) -> String {
        let start = arguments.count > 1 ? max(0, Int(arguments[1].double ?? 0)) : 0
        let rest = text.dropFirst(start)
        return String(arguments.count > 2 ? rest.prefix(max(0, Int(arguments[2].double ?? 0))) : rest)
    }

    /// A part of a date, such as its year.
    private func part(_ function: FilterFunction, _ text: String) -> Cell {
        guard let iso = ParseDate(iso: text)?.iso else { return .null }
        let parts = iso.split { "-T:.".contains($0) }
        let place: [FilterFunction: Int] = [.year: 0, .month: 1, .day: 2, .hour: 3, .minute: 4, .second: 5]
        return .number(place[function].flatMap { Double(parts[$0]) } ?? 0)
    }

    private func lowerASCII(_ text: String) -> String {
        String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
    }

    private func upperASCII(_ text: String) -> String {
        String(decoding: text.utf8.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }, as: UTF8.self)
    }
}
