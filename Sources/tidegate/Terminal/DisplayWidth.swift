import CWideCharacters
import Foundation

/// The number of columns that a text takes on a terminal, by the C library's table of wide characters.
enum DisplayWidth {
    static func of(_ text: String) -> Int {
        text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.count : text.reduce(0) { $0 + of($1) }
    }

    /// The text, cut to a number of columns. A cut text ends with `…`.
    static func cut(_ text: String, to columns: Int) -> String {
        guard of(text) > columns else { return text }
        var (shown, used) = ("", 0)
        for character in text {
            used += of(character)
            if used >= columns { break }
            shown.append(character)
        }
        return shown + "…"
    }

    /// The text, with spaces up to a number of columns.
    static func padded(_ text: String, to columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - of(text)))
    }

    private static func of(_ character: Character) -> Int {
        if character.isASCII { return 1 }
        _ = usesUnicode
        let scalars = character.unicodeScalars
        // An emoji presentation, and the two letters of a flag, take two columns.
        if scalars.contains("\u{FE0F}")
            || (scalars.count > 1 && (0x1F1E6...0x1F1FF).contains(scalars.first?.value ?? 0))
        {
            return 2
        }
        // A joined emoji takes the columns of its widest part. -1 stands for a character that the table does not have.
        return scalars.map { Int(tidegate_columns($0.value)) }.map { $0 < 0 ? 1 : $0 }.max() ?? 0
    }

    /// Sets the character type of the process to Unicode, which `wcwidth` needs. Numbers and dates keep their formats.
    private static let usesUnicode = ["C.UTF-8", "UTF-8", "en_US.UTF-8"].contains { (name: String) in
        setlocale(LC_CTYPE, name) != nil
    }
}
