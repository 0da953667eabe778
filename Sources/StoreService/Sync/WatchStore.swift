import ParseModel
import SyncModel

/// The queries of the watch: which known objects and fields a sync reads again, to find out whether the remote still shows them.
package protocol WatchStore: Sendable {
    func watchState() async throws -> WatchState

    func setWatchState(_ state: WatchState) async throws

    /// The ids of known objects of a class that clients see, in their order, and from the first one again after the last one.
    /// - Parameters:
    ///   - last: the objects after this id; nil to begin with the first one.
    ///   - syncs: the number of syncs in which all objects of the class should be named.
    ///   - bounds: the least and the greatest number of objects.
    /// - Returns: `last`: the id after which the next scrub begins; nil if this one has all objects of the class.
    func scrub(
        of className: String, after last: String?, in syncs: Int, bounds: ClosedRange<Int>
    ) async throws -> (ids: [String], last: String?)

    /// One known object of the classes for each ACL that gives the reader the right to read only by a role, at most `max`. Rights under an ACL are the
    /// same for all its objects.
    /// - Parameter last: the ACLs after this number, and from the first one again after the last one.
    func representatives(after last: Int64, max: Int, in classNames: [String]) async throws -> [WatchedACL]

    /// Known objects with the ACL of the number, in a fixed order.
    func objects(ofACL number: Int64, max: Int) async throws -> [Pointer]

    /// Chooses known objects of a class that together have every field of the sampled rows, with more than one ACL if there are more.
    /// Others join them, in the order of their ids.
    /// - Parameter place: the place of the choice before.
    func fieldCanaries(of className: String, after place: CanaryPlace, max: Int) async throws -> CanaryPlace

    /// The fields that only the base of an object has (`lost`), and those that only its row has (`new`), of rows whose object has the
    /// same `updatedAt`.
    func fieldDifferences(in records: [RemoteRecord]) async throws -> (lost: [String], new: [String])

    /// The objects to which the reader has given an ACL that does not name the reader, unless the remote has shown them since.
    func givenAwayIds(of className: String, max: Int) async throws -> [String]

    /// Selects those missing objects that the reader may have lost by the loss of a role: their ACLs give the right to read by roles
    /// alone, and every known object of the class with such an ACL is missing. Also selects those that the reader has given away.
    /// - Parameter roles: the names of the roles that the reader still has. ACLs that name one of them are left out.
    func lostByRole(_ missing: [String], of className: String, still roles: Set<String>) async throws -> Set<String>
}

/// The progress of the watch, over all syncs.
package struct WatchState: Sendable, Hashable {
    /// The names of the reader's roles by id, as far as the reader may read the roles; nil before the first answer.
    package var roles: [String: String]?
    /// By class, the last id of the latest scrub; absent if the next scrub begins with the first object.
    package var scrubbedTo: [String: String] = [:]
    /// By part of the classes, the number of the last ACL with a representative; absent if the next sync begins with the first one.
    package var lastACLs: [Part: Int64] = [:]

    /// The classes that one watch reads.
    package enum Part: String, Sendable {
        case all, firstHalf, secondHalf
    }

    package init() {}
}

/// An ACL, with one of its objects.
package struct WatchedACL: Sendable, Hashable {
    package let number: Int64
    package let object: Pointer

    package init(number: Int64, object: Pointer) {
        self.number = number
        self.object = object
    }
}

/// The objects whose whole rows a watch reads, and the ids at which the next choice of objects starts.
package struct CanaryPlace: Sendable, Hashable {
    /// The ids of the chosen objects. The next choice considers them again.
    package var chosen: [String]
    /// The id of the last object that was chosen although the others have all its fields; nil before the first one.
    package var others: String?
    /// The id of the last sampled object; nil to begin with the first one.
    package var sampled: String?

    package init(chosen: [String] = [], others: String? = nil, sampled: String? = nil) {
        (self.chosen, self.others, self.sampled) = (chosen, others, sampled)
    }
}
