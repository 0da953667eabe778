import Foundation
import Gateway

/// Finds the master key of a running gateway for a command: from the option, the variable, or the file in the data directory.
enum OwnerKey {
    /// The key: the given one, or else that of the environment, or else the content of the file `master-key` in the standard data
    /// directory. Nil if there is none.
    static func found(_ given: String?, _ environment: [String: String], _ directories: StandardDirectories) -> String?
    {
        given ?? environment[Setting.localMasterKey.variable].flatMap { $0.isEmpty ? nil : $0 }
            ?? inFile(environment, directories)
    }

    private static func inFile(_ environment: [String: String], _ directories: StandardDirectories) -> String? {
        let named = environment[Setting.data.variable].flatMap { $0.isEmpty ? nil : directories.absolute($0) }
        guard let directory = named ?? directories.data(named: "tidegate"),
            let content = FileManager.default.contents(atPath: directory + "/master-key")
        else { return nil }
        let key = String(decoding: content, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return key.isEmpty ? nil : key
    }
}
