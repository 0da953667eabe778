import Foundation

/// A full-text search: the operand of `$text`.
///
/// A text matches if it contains every `"quoted phrase"` and no `-word`. Without a quoted phrase, it must contain at least one of
/// the words. Words are sequences of letters and digits. They are compared whole, without stemming.
package struct TextSearch: Sendable, Hashable {
    /// The operand `$term`: words, quoted phrases and negated words.
    package let term: String
    package let isCaseSensitive: Bool
    package let isDiacriticSensitive: Bool

    package init(term: String, isCaseSensitive: Bool = false, isDiacriticSensitive: Bool = false) {
        self.term = term
        self.isCaseSensitive = isCaseSensitive
        self.isDiacriticSensitive = isDiacriticSensitive
    }

    /// Whether a text matches the search.
    package func matches(_ text: String) -> Bool {
        let parts = Parts(fold(term))
        let text = fold(text)
        let words = Set(Self.words(text))
        guard !parts.refused.contains(where: words.contains) else { return false }
        guard parts.phrases.allSatisfy({ Self.holds(text, phrase: $0) }) else { return false }
        return !parts.phrases.isEmpty || parts.wanted.contains(where: words.contains)
    }

    /// The relevance of a text: the sum of the scores of the search words. The score of a word is 1 for the first occurrence in
    /// the text, plus ½ for the second, ¼ for the third and so on, multiplied by a factor from ½ to 1. The factor grows with the
    /// word's share of the text.
    package func score(_ text: String) -> Double {
        let parts = Parts(fold(term))
        let wanted = Set(parts.wanted + parts.phrases.flatMap(Self.words))
        let words = Self.words(fold(text))
        var counts: [String: Int] = [:]
        for word in words where wanted.contains(word) { counts[word, default: 0] += 1 }
        return counts.values.sorted().reduce(0) { sum, count in
            var weight = 0.0
            for place in 0..<min(count, 60) { weight += 1 / Double(1 << place) }
            return sum + weight * (0.5 * Double(count) / Double(words.count) + 0.5)
        }
    }

    /// Removes case and diacritics from a text, unless the search is sensitive to them.
    private func fold(_ text: String) -> String {
        var options: String.CompareOptions = []
        if !isCaseSensitive { options.insert(.caseInsensitive) }
        if !isDiacriticSensitive { options.insert(.diacriticInsensitive) }
        return text.folding(options: options, locale: nil)
    }

    private static func words(_ text: some StringProtocol) -> [String] {
        text.split(whereSeparator: { !$0.isLetter && !$0.isNumber }).map { String($0) }
    }

    /// Whether the text contains the words of the phrase in this order without other words between them. Separators do
    /// not matter.
    private static func holds(_ text: String, phrase: String) -> Bool {
        let (words, phrase) = (Self.words(text), Self.words(phrase))
        guard !phrase.isEmpty, words.count >= phrase.count else { return phrase.isEmpty }
        return (0...words.count - phrase.count).contains { words[$0..<$0 + phrase.count].elementsEqual(phrase) }
    }

    private struct Parts {
        var wanted: [String] = []
        var refused: [String] = []
        var phrases: [String] = []

        init(_ term: String) {
            for (place, part) in term.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
                if place % 2 == 1 {
                    phrases.append(String(part))
                    continue
                }
                for word in part.split(whereSeparator: \.isWhitespace) {
                    if word.first == "-" {
                        refused += TextSearch.words(word)
                    } else {
                        wanted += TextSearch.words(word)
                    }
                }
            }
        }
    }
}
