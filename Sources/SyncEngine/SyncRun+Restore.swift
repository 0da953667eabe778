import ParseModel
import RemoteService
import StoreService
import SyncModel

/// A remote that was restored from an older backup lacks newer objects, and shows edited ones as they were
/// before. One row with an older `updatedAt` than our base proves it. From then on no missing object counts as deleted,
/// and no older row becomes a base: both wait for a person's word.
extension SyncRun {
    /// How many of our most recently changed objects are read back, and how many where those are too much.
    private static let readBackSizes = [readBackMax, 6, 1]
    private static let readBackMax = 50

    var rowCircumstances: OlderRowRules.Circumstances {
        OlderRowRules.Circumstances(
            serverTime: serverClock.earliest(uptime: environment.uptime()),
            lateStampMax: options.lateStampMax, looksMin: options.unseenLooksMin, lookingTime: options.unseenTime,
            isRestored: isRestored)
    }

    /// - Returns: the rows that are news. The others show an object as it was before: they are held back, or waited for.
    mutating func news(_ records: [RemoteRecord], of className: String) async throws(SyncError) -> [RemoteRecord] {
        let known = try await stored { try await $0.objectsNewer(than: records, of: className) }
        guard !known.isEmpty else { return records }
        var news: [RemoteRecord] = []
        var (lost, released, waiting): ([LostObject], [String], [String]) = ([], [], [])
        for record in records {
            guard let object = known[record.objectId] else {
                news.append(record)
                continue
            }
            switch OlderRowRules.judge(object, against: record, rowCircumstances) {
            case .apply: news.append(record)
            case .release:
                news.append(record)
                released.append(record.objectId)
            case .lost: lost.append(LostObject(objectId: record.objectId, row: record))
            case .wait: waiting.append(record.objectId)
            }
        }
        let (answered, held) = (released, lost)
        if !answered.isEmpty { try await stored { try await $0.releaseLost(answered, of: className) } }
        if !held.isEmpty {
            let news = held.filter { known[$0.objectId]?.isReverted != true }
            if !news.isEmpty {
                logger.warning("\(className): the remote shows an older state of \(news.count.counted("object"))")
            }
            try await holdAsLost(held, of: className)
        }
        unseen[className, default: []].formUnion(waiting)
        return news
    }

    /// Objects that a restored remote lacks, or has as they were before, wait for a person's word.
    mutating func holdAsLost(_ lost: [LostObject], of className: String) async throws(SyncError) {
        isRestored = true
        try await stored { try await $0.holdLost(lost, of: className, because: .restoredBackup) }
    }

    /// Objects that are there again as they were, or newer, need no word.
    mutating func lookForLost(of className: String) async throws(SyncError) {
        let ids = try await stored { try await $0.lostIds(of: className, max: Self.readBackMax) }
        guard !ids.isEmpty else { return }
        let rows = try await askedFor(ids, of: className)
        try await applyNews(rows.filter { !isDeleted($0) }, of: className)
    }

    /// A backup may lack the objects that are gone in one sync. It does if one of our most recently changed objects is older
    /// there. If none is, doubts remain where enough objects that were acknowledged here or edited, and no older one, are gone.
    mutating func lookForRestoredBackup(_ gone: [String: Set<String>]) async throws(SyncError) {
        guard !isRestored else { return }
        let known = knownBefore
        let shape = try await stored { try await $0.rollbackShape(of: gone, knownBefore: known) }
        guard shape.includesNewest else { return }
        try await readBackNewest(besides: gone)
        if !isRestored, shape.isNewestOnly, shape.attested >= options.rollbackCheckMin { isRestored = true }
    }

    /// Where our most recently changed objects are older there, the remote has gone back. One request tells, unless the rows
    /// are more than one answer may hold.
    mutating func readBackNewest(besides gone: [String: Set<String>] = [:]) async throws(SyncError) {
        let known = knownBefore
        for size in Self.readBackSizes {
            let newest = try await stored {
                try await $0.mostRecentlyChanged(besides: gone, knownBefore: known, max: size)
            }
            if newest.isEmpty { return }
            do {
                let rows = try await asked { remote throws(RemoteError) in try await remote.fetch(newest) }
                for (className, rows) in Dictionary(grouping: rows, by: \.className).sorted(by: { $0.key < $1.key }) {
                    let older = try await stored { try await $0.objectsNewer(than: rows, of: className) }
                    // Rows that are newer than ours are left to the pull and the audits, which report them.
                    let told = rows.filter { older[$0.objectId] != nil && !isDeleted($0) }
                    try await applyNews(told, of: className)
                }
                return
            } catch .unusable(_, isTooMuch: true) {
                continue
            }
        }
    }
}
