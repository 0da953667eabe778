import Foundation
import Testing

@testable import Gateway

/// Tests the table of settings: names, texts, defaults and documentation.
struct SettingTests {
    @Test func namesOfSettingsAreUniqueAndTheirNumberIsBounded() {
        let names = (Setting.all + RemovedSettings.settings).map(\.name)
        #expect(Set(names).count == names.count)
        #expect(Setting.all.count <= 65)
        #expect((12...19).contains(Setting.all.filter(\.isCommon).count))
    }

    @Test func helpTextsOfSettingsArePlainSentences() {
        for setting in Setting.all {
            #expect(setting.text.hasSuffix(".") && !setting.text.contains("`") && !setting.text.contains("]("))
        }
    }

    @Test func defaultsOfSettingsEqualThoseOfTheConfiguration() throws {
        let numbers: [Setting: [String]] = Setting.all.filter { $0.form == .number }
            .reduce(into: [:]) { $0[$1] = $1.standard.map { [$0] } }
        #expect(numbers.count > 8)
        #expect(try load(numbers).withoutSources == load().withoutSources)
    }

    @Test func removedSettingIsNamedWithItsValueAndHasNoEffect() throws {
        for setting in RemovedSettings.settings {
            let file = try SettingsFile("\(setting.name): 7\n")
            let configuration = try load([setting: ["8"]], [setting.variable: "9"], file: file.path)
            let end = " is no longer a setting and has no effect: \(setting.text)"
            #expect(
                configuration.warnings == [
                    setting.option + end, setting.variable + end, "\(file.path): \(setting.name)" + end,
                ])
            var unchanged = configuration
            unchanged.removedSettings = []
            #expect(try unchanged == load())
        }
    }

    @Test func docsListEverySettingWithItsDescription() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/configuration.md")
        let lines = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
        let start = try #require(lines.firstIndex(of: "## Settings"))
        let end = try #require(lines[(start + 1)...].firstIndex { $0.hasPrefix("## ") })
        // In the documentation, a line that begins with two spaces continues an item of the list.
        let items = lines[start..<end].joined(separator: "\n").replacing("\n  ", with: " ").components(
            separatedBy: "\n")
        let found = items.filter { $0.hasPrefix("### ") || $0.hasPrefix("- `--") }.map(Self.withoutLinks)
        let expected = Setting.groups.flatMap { ["### \($0.title)"] + $0.settings.map(Self.item) }
        #expect(found == expected, "The list should be:\n\(expected.joined(separator: "\n"))")
    }

    /// The item of a setting in the documentation, without links and code marks.
    private static func item(_ setting: Setting) -> String {
        let option = setting.form == .flag ? setting.option : "\(setting.option) \(setting.valueName.uppercased())"
        return "- \(option)\(setting.standard.map { ", default \($0)" } ?? ""): \(setting.text)".replacing(
            "`", with: "")
    }

    private static func withoutLinks(_ line: String) -> String {
        line.replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.output.1 }.replacing("`", with: "")
    }
}
