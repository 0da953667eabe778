import ParseModel
import RemoteService
import SyncModel

/// Reads all relations of one relation field of a class (`column`), by querying the owners of each member: the objects
/// whose relation has the member. For many relations, this usually takes far fewer requests than querying the members
/// of each owner. The survey sends no requests itself: it returns the next requests and receives the answers.
///
/// First it lists the ids of the member class, the class of the members, and forms groups of members. For each group it
/// queries the owners of any member of the group. If a group has fewer owners than members, the relations of these
/// owners are read one by one after the survey. Otherwise each member of the group is queried alone, page by page.
///
/// A faulty remote may return empty or short lists. Members without a complete list of owners are therefore queried
/// once more, in larger groups. An empty page of ids is also read once more.
struct RelationSurvey: Sendable {
    /// The maximum number of members in one query of owners: in a first query, and in a repeated query.
    static let (groupMax, emptyGroupMax) = (100, 1000)
    /// The maximum number of owner-member pairs in memory.
    static let pairsMax = 5_000_000
    /// The maximum size of the ids in memory, in bytes.
    static let idBytesMax = 256 << 20
    /// The maximum number of ids in the member class, per relation that waits to be read. With more ids, the survey takes more
    /// requests than reading the relations one by one.
    static let membersPerRelationMax = 14

    enum Step: Sendable, Hashable {
        /// Lists the ids of the member class after this id; nil for the first ids.
        case listMembers(after: String?)
        /// Repeats `listMembers`, because the list was empty. The caller must first check that the remote shows objects
        /// that surely exist.
        case listMembersAgain(after: String?)
        case ask([OwnersRequest])
        /// Repeats queries of members whose list of owners was empty or cut short. The caller must first check that the
        /// remote shows objects that surely exist.
        case askAgain([OwnersRequest])
        case complete
        /// The survey is abandoned, because reading object by object takes fewer requests or less memory.
        case pointless
    }

    private struct OwnerQuery {
        /// Indexes into `memberIds`.
        let members: [Int]
        let isRepeated: Bool
        var after: String?
        var seen = 0
        /// The number of owners after the latest page. Nil before the first page, and if unknown. Owners can join while
        /// the survey runs, so the count of an earlier page does not show where the list ends.
        var left: Int?
        /// The ids of the owners found so far, if `members` has several elements; otherwise empty.
        var owners: [String] = []
    }

    let column: RelationField
    /// A server time before the survey's first request. All its answers show the remote at this time or later.
    let began: ParseDate
    private let membersMax: Int
    private var memberIds: [String] = []
    private var lastMember: String?
    /// Whether the latest page of ids was empty. A second empty page in a row is the end of the list.
    private var seemsListed = false
    private var isListed = false
    private var open: [OwnerQuery] = []
    private var asked: [OwnerQuery] = []
    /// The indexes of members to query once more, because no owner was found or the list of owners was cut short.
    private var empty: [Int] = []
    private var members: [String: [Int]] = [:]
    private var pairCount = 0
    private var idBytes = 0
    /// The ids of owners whose relations are read one by one after the survey.
    private(set) var singles: Set<String> = []

    /// - Parameter waiting: the number of relations of the field that wait to be read.
    init(_ column: RelationField, waiting: Int, began: ParseDate) {
        self.column = column
        self.began = began
        membersMax = waiting * Self.membersPerRelationMax
    }

    /// The requests that the survey needs next, or its end.
    /// - Parameter batchMax: the maximum number of requests in a batch.
    mutating func next(batchMax: Int) -> Step {
        guard memberIds.count <= membersMax, pairCount <= Self.pairsMax, idBytes <= Self.idBytesMax else {
            return .pointless
        }
        guard isListed else {
            return seemsListed ? .listMembersAgain(after: lastMember) : .listMembers(after: lastMember)
        }
        if open.isEmpty, !empty.isEmpty {
            let groups = Self.groups(empty, of: Self.emptyGroupMax)
            open = groups.map { OwnerQuery(members: $0, isRepeated: true) }
            empty = []
        }
        guard !open.isEmpty else { return .complete }
        asked = Array(open.suffix(batchMax))
        open.removeLast(asked.count)
        let requests = asked.map { query in
            OwnersRequest(
                column: column, memberIds: query.members.map { memberIds[$0] }, after: query.after)
        }
        return asked.contains(where: \.isRepeated) ? .askAgain(requests) : .ask(requests)
    }

    mutating func takeMembers(_ page: ObjectStampPage) {
        memberIds += page.stamps.map(\.objectId)
        idBytes += page.stamps.reduce(0) { $0 + $1.objectId.utf8.count }
        lastMember = memberIds.last
        isListed = seemsListed && page.isLast
        seemsListed = page.isLast
        guard isListed else { return }
        open = Self.groups(Array(memberIds.indices), of: Self.groupMax).map {
            OwnerQuery(members: $0, isRepeated: false)
        }
    }

    /// Processes the answers to the latest requests of `next`.
    mutating func receive(_ pages: [OwnersPage]) {
        let queries = asked
        asked = []
        for (query, page) in zip(queries, pages) { receive(page, to: query) }
    }

    private mutating func receive(_ page: OwnersPage, to asked: OwnerQuery) {
        var query = asked
        guard !page.ownerIds.isEmpty else {
            finish(query, isCutShort: max(query.left ?? 0, page.count ?? 0) > 0)
            return
        }
        query.left = page.count.map { $0 - page.ownerIds.count }
        query.seen += page.ownerIds.count
        idBytes += page.ownerIds.reduce(0) { $0 + $1.utf8.count }
        query.after = page.ownerIds.last
        if query.members.count == 1 {
            for owner in page.ownerIds { members[owner, default: []].append(query.members[0]) }
            pairCount += page.ownerIds.count
        } else {
            query.owners += page.ownerIds
            if query.owners.count + max(query.left ?? 0, 0) >= query.members.count {
                open += query.members.map { OwnerQuery(members: [$0], isRepeated: query.isRepeated) }
                return
            }
        }
        if let left = query.left, left <= 0 {
            finish(query, isCutShort: false)
        } else {
            open.append(query)
        }
    }

    /// Ends a query.
    /// - Parameter isCutShort: whether the query found fewer owners than the remote announced.
    private mutating func finish(_ query: OwnerQuery, isCutShort: Bool) {
        singles.formUnion(query.owners)
        if !query.isRepeated, query.seen == 0 || isCutShort { empty += query.members }
    }

    private static func groups(_ places: [Int], of size: Int) -> [[Int]] {
        stride(from: 0, to: places.count, by: size).map { Array(places[$0..<min($0 + size, places.count)]) }
    }

    // MARK: Results

    /// The ids of the members that the survey found for an owner. Not valid for owners in `singles`.
    func members(of ownerId: String) -> [String] {
        Set(members[ownerId] ?? []).sorted().map { memberIds[$0] }
    }
}
