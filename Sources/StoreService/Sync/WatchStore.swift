import ParseModel
import SyncModel

/// The queries of the watch: it selects known objects and fields for a sync to read again, because the remote may have
/// ceased to show them.
package protocol WatchStore: Sendable {
    func watchState() async throws -> WatchState

    func setWatchState(_ state: WatchState) async throws

    /// The ids of the next objects for the scrub, which reads some stored objects of a class in each sync, in the order
    /// of their ids. After the last id it continues with the first id.
    /// - Parameters:
    ///   - last: the id after which the list begins; nil to begin with the first id.
    ///   - syncs: the number of syncs in which the scrub should read all objects of the class.
    ///   - bounds: the minimum and maximum number of objects.
    /// - Returns: `last`: the id after which the next scrub begins; nil if this scrub contains all objects of the
    ///   class.
    func scrub(
        of className: String, after last: String?, in syncs: Int, bounds: ClosedRange<Int>
    ) async throws -> (ids: [String], last: String?)

    /// One known object for each ACL under which the reader may read only by a role, at most `max` objects. One object
    /// per ACL suffices, because the reader's rights are the same for all objects with the same ACL.
    /// - Parameter last: the number of the ACL after which the list begins. After the last ACL it continues with the
    ///   first ACL.
    func representatives(after last: Int64, max: Int, in classNames: [String]) async throws -> [WatchedACL]

    /// Known objects with the ACL that has this number, in a fixed order.
    func objects(ofACL number: Int64, max: Int) async throws -> [Pointer]

    /// Chooses canaries for fields: known objects of a class that together have every field of the sampled rows, under
    /// more than one ACL if possible. Some further objects are added, in the order of their ids.
    /// - Parameter place: the result of the previous call.
    func fieldCanaries(of className: String, after place: CanaryPlace, max: Int) async throws -> CanaryPlace

    /// The fields that the rows have lost and gained without a change of `updatedAt`: `lost` has the fields that only
    /// the stored remote state of an object has, `new` the fields that only its row in `records` has.
    func fieldDifferences(in records: [RemoteRecord]) async throws -> (lost: [String], new: [String])

    /// The objects that the reader has given away: the reader has set an ACL that does not name the reader, and the
    /// remote has not shown the objects since.
    func givenAwayIds(of className: String, max: Int) async throws -> [String]

    /// Selects the missing objects that the reader may have lost together with a role. The ACL of such an object gives
    /// the reader access only by roles, and all known objects of the class with this ACL are missing. Also selects
    /// objects that the reader has given away by a change of the ACL.
    /// - Parameter roles: the names of the roles that the reader still has. Objects whose ACL names one of these roles
    ///   are left out.
    func lostByRole(_ missing: [String], of className: String, still roles: Set<String>) async throws -> Set<String>
}

/// The progress of the watch (the repeated reading of known objects to find lost rights), kept between syncs.
package struct WatchState: Sendable, Hashable {
    /// The names of the reader's roles, by the id of the role. Contains only roles that the reader may read. Nil before
    /// the remote's first answer.
    package var roles: [String: String]?
    /// The id of the last object in the latest scrub, by class. A class is absent if its next scrub begins with the
    /// first object.
    package var scrubbedTo: [String: String] = [:]
    /// The number of the last ACL that a sync has checked by reading an object with it, by part of the classes. A part is absent if the
    /// next sync begins with the first ACL.
    package var lastACLs: [Part: Int64] = [:]

    /// Selects the classes that one watch reads: all, or one half of them.
    package enum Part: String, Sendable {
        case all, firstHalf, secondHalf
    }

    package init() {}
}

/// An ACL, with one object that has this ACL.
package struct WatchedACL: Sendable, Hashable {
    package let number: Int64
    package let object: Pointer

    package init(number: Int64, object: Pointer) {
        self.number = number
        self.object = object
    }
}

/// The objects that a sync reads to notice lost fields, and the positions at which the next choice of objects
/// continues.
package struct CanaryPlace: Sendable, Hashable {
    /// The ids of the chosen objects. The next choice considers them again.
    package var chosen: [String]
    /// The id of the last object that was chosen although other chosen objects have all its fields; nil before the
    /// first such object.
    package var others: String?
    /// The id of the last sampled object; nil to begin with the first one.
    package var sampled: String?

    package init(chosen: [String] = [], others: String? = nil, sampled: String? = nil) {
        (self.chosen, self.others, self.sampled) = (chosen, others, sampled)
    }
}
