import Foundation
import StoreService

/// Compares the setting `people` of this start with that of the last start on the same data directory, and describes
/// the changes that stay unsent after a switch.
struct PeopleMode {
    /// The setting at the last start; nil if the directory is new, or was last used by a version without the setting.
    let was: String?
    /// Whether a version without the setting has used the directory. That version refused requests with a session.
    let isOfEarlierVersion: Bool
    let isNow: PeopleSettings.Mode
    /// The reason why the setting is `off` although its default is `personal`; nil otherwise.
    let offBecause: String?
    /// The number of users' spaces with unsent changes or open decisions that this start does not serve.
    let waitingSpaces: Int
    /// The number of users of a former site replica whose unsent changes this start does not send.
    let waitingAuthors: Int

    /// - Parameters:
    ///   - was: the setting at the last start; nil if it was never noted.
    ///   - isOfEarlierVersion: whether a version without the setting has used the directory.
    ///   - waitingAuthors: the number of users of a site replica whose changes wait in the gateway's own file.
    /// - Throws: `StoreError` if the spaces of a replica that does not serve them cannot be read.
    init(
        was: String?, isOfEarlierVersion: Bool, waitingAuthors: Int, settings: PeopleSettings, dataDirectory: String,
        stores: any StoreKind
    ) throws {
        self.was = was
        self.isOfEarlierVersion = isOfEarlierVersion
        self.waitingAuthors = settings.mode == .site ? 0 : waitingAuthors
        isNow = settings.mode
        offBecause = settings.offBecause
        waitingSpaces = isNow != .personal ? try Self.waitingSpaces(in: dataDirectory, stores) : 0
    }

    private static func waitingSpaces(in dataDirectory: String, _ stores: any StoreKind) throws -> Int {
        let directory = SpaceNames.directory(in: dataDirectory)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return try names.count { try stores.hasWaitingWork(in: "\(directory)/\($0)") }
    }

    /// Whether this start enforces rights and the last one did not, or the other way round.
    var changesRights: Bool {
        let site = PeopleSettings.Mode.site.rawValue
        return (was == site) != (isNow.rawValue == site)
    }

    /// Log lines about the difference from the last start, and about data that this start does not serve.
    var lines: [String] {
        let option = Setting.people.option
        var lines: [String] = []
        if let was, was != isNow.rawValue {
            lines.append(
                "\(option) was \(was) and is now \(isNow.rawValue): changes without a session are sent as before, and the data "
                    + "of users stays as it is")
        }
        if isOfEarlierVersion, isNow != .off {
            lines.append(
                "requests with a session are served now (\(option) \(isNow.rawValue)). The earlier version refused them. To refuse "
                    + "them again, start with \(option) off.")
        }
        if was == PeopleSettings.Mode.site.rawValue, isNow == .personal {
            lines.append("the gateway's own data is shown without a session only as far as everybody may read it")
        }
        if waitingSpaces > 0 {
            lines.append(
                "changes or decisions of \(waitingSpaces.counted("user")) wait and are not sent with \(option) "
                    + "\(isNow.rawValue): start with \(option) personal, without "
                    + "\(Setting.masterKey.option), to serve them")
        }
        if waitingAuthors > 0 {
            lines.append(
                "changes of \(waitingAuthors.counted("author")) of a site wait and are not sent: start with \(option) site to "
                    + "send them")
        }
        if let offBecause {
            lines.append("requests with a session are refused (\(option) off), because \(offBecause)")
        }
        return lines
    }
}
