import ParseModel
import RemoteService
import SyncModel

/// Reads a whole relation column from the side of its members, in far fewer requests than object by object. Pure: it says
/// what to ask next, and takes the answers.
///
/// First the ids of the members' class are listed. Then it is asked, for groups of members, which objects have any of them.
/// Most groups of a sparse column have none, and are done. Where a group has few owners, those are read one by one
/// afterwards; where it has many, each of its members is asked about alone, and its owners come page by page. What seems
/// to have no owners is asked about once more, because a remote that shows nothing looks the same.
struct RelationSurvey: Sendable {
    /// How many members one question names: at first, and when the empty ones are asked about again.
    static let (groupMax, emptyGroupMax) = (100, 1000)
    /// More pairs are not held in memory.
    static let pairsMax = 5_000_000
    /// Nor more bytes of ids.
    static let idBytesMax = 256 << 20
    /// A class of so many members for each waiting relation is not worth listing.
    static let membersPerRelationMax = 14

    enum Step: Sendable, Hashable {
        /// The ids of the members' class, behind that one.
        case listMembers(after: String?)
        case ask([OwnersRequest])
        /// Only a remote that shows what it had is to be believed about these.
        case askAgain([OwnersRequest])
        case complete
        /// Reading object by object is no worse.
        case pointless
    }

    private struct Question {
        /// Places in `memberIds`.
        let members: [Int]
        let isRepeated: Bool
        var after: String?
        var seen = 0
        var total: Int?
        /// Of a group: the owners that have any of its members.
        var owners: [String] = []
    }

    let column: RelationField
    /// The server time before its first request: what it finds is no older.
    let began: ParseDate
    private let membersMax: Int
    private var memberIds: [String] = []
    private var lastMember: String?
    private var isListed = false
    private var open: [Question] = []
    private var asked: [Question] = []
    /// Places of members that seem to have no owners.
    private var empty: [Int] = []
    private var members: [String: [Int]] = [:]
    private var pairCount = 0
    private var idBytes = 0
    /// Owners that have to be read one by one.
    private(set) var singles: Set<String> = []

    /// - Parameter waiting: how many relations have to be read.
    init(_ column: RelationField, waiting: Int, began: ParseDate) {
        self.column = column
        self.began = began
        membersMax = waiting * Self.membersPerRelationMax
    }

    /// - Parameter batchMax: how many questions go together.
    mutating func next(batchMax: Int) -> Step {
        guard memberIds.count <= membersMax, pairCount <= Self.pairsMax, idBytes <= Self.idBytesMax else {
            return .pointless
        }
        guard isListed else { return .listMembers(after: lastMember) }
        if open.isEmpty, !empty.isEmpty {
            let groups = Self.groups(empty, of: Self.emptyGroupMax)
            open = groups.map { Question(members: $0, isRepeated: true) }
            empty = []
        }
        guard !open.isEmpty else { return .complete }
        asked = Array(open.suffix(batchMax))
        open.removeLast(asked.count)
        let requests = asked.map { question in
            OwnersRequest(
                column: column, memberIds: question.members.map { memberIds[$0] }, after: question.after)
        }
        return asked.contains(where: \.isRepeated) ? .askAgain(requests) : .ask(requests)
    }

    mutating func takeMembers(_ page: ObjectStampPage) {
        memberIds += page.stamps.map(\.objectId)
        idBytes += page.stamps.reduce(0) { $0 + $1.objectId.utf8.count }
        lastMember = memberIds.last
        guard page.isLast else { return }
        isListed = true
        open = Self.groups(Array(memberIds.indices), of: Self.groupMax).map { Question(members: $0, isRepeated: false) }
    }

    /// Takes the answers to what `next` has asked last.
    mutating func take(_ pages: [OwnersPage]) {
        let questions = asked
        asked = []
        for (question, page) in zip(questions, pages) { take(page, to: question) }
    }

    private mutating func take(_ page: OwnersPage, to asked: Question) {
        var question = asked
        question.total = question.total ?? page.total
        guard !page.ownerIds.isEmpty else {
            finish(question, isCutShort: question.total.map { question.seen < $0 } ?? false)
            return
        }
        question.seen += page.ownerIds.count
        idBytes += page.ownerIds.reduce(0) { $0 + $1.utf8.count }
        question.after = page.ownerIds.last
        if question.members.count == 1 {
            for owner in page.ownerIds { members[owner, default: []].append(question.members[0]) }
            pairCount += page.ownerIds.count
        } else {
            question.owners += page.ownerIds
            if max(question.owners.count, question.total ?? 0) >= question.members.count {
                open += question.members.map { Question(members: [$0], isRepeated: question.isRepeated) }
                return
            }
        }
        if let total = question.total, question.seen >= total {
            finish(question, isCutShort: false)
        } else {
            open.append(question)
        }
    }

    /// - Parameter isCutShort: the list has ended before the number of owners that it began with.
    private mutating func finish(_ question: Question, isCutShort: Bool) {
        singles.formUnion(question.owners)
        if !question.isRepeated, question.seen == 0 || isCutShort { empty += question.members }
    }

    private static func groups(_ places: [Int], of size: Int) -> [[Int]] {
        stride(from: 0, to: places.count, by: size).map { Array(places[$0..<min($0 + size, places.count)]) }
    }

    // MARK: What was found

    /// The members of an object that is not among `singles`.
    func members(of ownerId: String) -> [String] {
        Set(members[ownerId] ?? []).sorted().map { memberIds[$0] }
    }
}
