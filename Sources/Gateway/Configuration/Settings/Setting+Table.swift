extension Setting {
    /// All groups, in the order of the help.
    package static let groups: [any SettingGroup.Type] = [
        ProcessSettings.self, RemoteSettings.self, ClientSettings.self, FileSettings.self, ReplicaUserSettings.self,
        LogInSettings.self,
    ]

    /// All settings, in the order of the help.
    package static let all: [Setting] = groups.flatMap { $0.settings }

    /// Whether a setting has this name, or had it before it was removed.
    static func isKnown(_ name: String) -> Bool { (all + RemovedSettings.settings).contains { $0.name == name } }

    /// The setting whose name is most similar to a misspelled name; nil if every name differs by more than two letters.
    static func nearest(to name: String) -> Setting? {
        let spelt = name.lowercased().filter { $0.isLetter }
        let distances = all.map { setting in
            (setting: setting, distance: editDistance(Array(spelt), Array(setting.name.filter { $0.isLetter })))
        }
        guard let best = distances.min(by: { $0.distance < $1.distance }), best.distance <= 2 else { return nil }
        return best.setting
    }

    /// The Levenshtein distance of two words.
    private static func editDistance(_ a: [Character], _ b: [Character]) -> Int {
        var row = Array(0...b.count)
        for (i, letter) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in b.enumerated() {
                let substituted = diagonal + (letter == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(substituted, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[b.count]
    }
}
