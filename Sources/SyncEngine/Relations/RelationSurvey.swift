import ParseModel
import RemoteService
import SyncModel

/// Reads a whole relation column from the side of its members, in far fewer requests than object by object. Pure: it returns the
/// next requests and takes their answers.
///
/// The survey first lists the ids of the members' class. For each group of members it asks which objects have any of them. Most
/// groups of a sparse column have no owner and are done. The owners of a group with few are read one by one afterwards. The
/// members of a group with many owners are asked about alone, and their owners come page by page. Groups and members without an
/// owner are asked about once more, because a remote that shows nothing looks the same.
struct RelationSurvey: Sendable {
    /// How many members one request names: at first, and when the ones without owners are asked about again.
    static let (groupMax, emptyGroupMax) = (100, 1000)
    /// The most pairs of owner and member in memory.
    static let pairsMax = 5_000_000
    /// The most bytes of ids in memory.
    static let idBytesMax = 256 << 20
    /// With more members for each waiting relation, listing the class takes more requests than it saves.
    static let membersPerRelationMax = 14

    enum Step: Sendable, Hashable {
        /// List the ids of the members' class behind this one.
        case listMembers(after: String?)
        case ask([OwnersRequest])
        /// Ask after a check by canaries.
        case askAgain([OwnersRequest])
        case complete
        /// Reading object by object takes no more requests.
        case pointless
    }

    private struct Question {
        /// Places in `memberIds`.
        let members: [Int]
        let isRepeated: Bool
        var after: String?
        var seen = 0
        var total: Int?
        /// The owners with any member of the group.
        var owners: [String] = []
    }

    let column: RelationField
    /// The server time before its first request. The answers are no older.
    let began: ParseDate
    private let membersMax: Int
    private var memberIds: [String] = []
    private var lastMember: String?
    private var isListed = false
    private var open: [Question] = []
    private var asked: [Question] = []
    /// Places of members without owners so far.
    private var empty: [Int] = []
    private var members: [String: [Int]] = [:]
    private var pairCount = 0
    private var idBytes = 0
    /// Owners whose members are read one by one.
    private(set) var singles: Set<String> = []

    /// - Parameter waiting: how many relations of the column have to be read.
    init(_ column: RelationField, waiting: Int, began: ParseDate) {
        self.column = column
        self.began = began
        membersMax = waiting * Self.membersPerRelationMax
    }

    /// - Parameter batchMax: how many requests go together.
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

    /// Takes the answers to the latest requests of `next`.
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

    /// - Parameter isCutShort: the list has fewer owners than its first page announced.
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
