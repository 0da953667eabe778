import ParseModel
import StoreService
import Synchronization

/// Forms that users have opened and not saved. A change that is saved from a form is based on the state of the object
/// when the form was opened. The write names this state in `_base`.
final class OpenForms: Sendable {
    private let random: PartyRandom
    /// Whether writes omit `_base`, for the deliberate bug `Sabotage.formsUnnamed`.
    private let hidesBase: Bool
    private let forms = Mutex<[String: [SimulatedUsers.VisibleObject]]>([:])
    private static let formsMax = 4

    init(_ random: PartyRandom, hidesBase: Bool) {
        self.random = random
        self.hidesBase = hidesBase
    }

    /// Lets a user at one place (a replica or the server) open a form of a random object, or save or delete the object
    /// of an open form.
    /// - Parameter mayDelete: whether users of the party may delete the given object with a DELETE request.
    /// - Returns: false if the user does nothing.
    func act(
        as party: String, among objects: [SimulatedUsers.VisibleObject], users: SimulatedUsers,
        mayDelete: (SimulatedUsers.VisibleObject) -> Bool,
        _ write: SimulatedUsers.Write
    ) async -> Bool {
        let open = forms.withLock { $0[party] ?? [] }
        if open.count < Self.formsMax, random.chance(0.4), let object = random.pick(objects) {
            forms.withLock { $0[party, default: []].append(object) }
            return true
        }
        guard random.chance(0.6), let form = random.pick(open) else { return false }
        forms.withLock { $0[party]?.removeAll { $0.objectId == form.objectId } }
        let base = form.fields["updatedAt"]?.string.flatMap(ParseDate.init(iso:))
        let terms = WriteTerms(base: hidesBase ? nil : base)
        if random.chance(0.2), mayDelete(form) {
            await users.perform(
                party, form.title, [.delete],
                .delete(className: form.className, objectId: form.objectId, terms: terms), write, seeing: form)
        } else {
            let (field, value) = (random.chance(0.7) ? "a" : "b", users.uniqueValue(party))
            await users.perform(
                party, form.title, [.set(field: field, value: value)],
                .update(
                    className: form.className, objectId: form.objectId, body: [field: .string(value)], terms: terms),
                write, seeing: form)
        }
        return true
    }
}
