import ParseModel

/// Maps ids in recorded answers to the ids of this run, which it learns from the answers to creates.
struct IdTranslation {
    private var byRecorded: [String: String] = [:]

    /// Replaces the recorded ids in a text by the ids of this run.
    func ours(_ text: String) -> String {
        var text = text
        for (recorded, ours) in byRecorded { text = text.replacing(recorded, with: ours) }
        return text
    }

    /// Learns file names, session tokens and the ids of new objects from a recorded answer and the gateway's answer,
    /// including those in batch answers.
    mutating func learn(_ recorded: JSONValue?, _ ours: JSONValue?) {
        switch (recorded, ours) {
        case (.array(let recorded)?, .array(let ours)?):
            for (recorded, ours) in zip(recorded, ours) {
                learn(recorded.object?["success"], ours.object?["success"])
            }
        case (.object(let recorded)?, .object(let ours)?):
            if recorded["url"] != nil, let name = recorded["name"]?.string, let given = ours["name"]?.string {
                byRecorded[name] = given
            }
            if let token = recorded["sessionToken"]?.string, let given = ours["sessionToken"]?.string {
                byRecorded[token] = given
            }
            // The answer to a create has no updatedAt.
            guard recorded["updatedAt"] == nil, let key = recorded["objectId"]?.string,
                let id = ours["objectId"]?.string
            else { return }
            byRecorded[key] = id
        default: break
        }
    }

    /// The answer that this run must give: the recorded one with this run's ids, and without values that differ
    /// between runs.
    func expected(_ recorded: JSONValue) -> JSONValue {
        let text = ours(recorded.jsonText)
        return ((try? JSONReader.read(text)) ?? recorded).withoutTimesAndPlaces
    }
}

extension JSONValue {
    /// Replaces timestamps and file URLs by placeholders if their form is valid.
    var withoutTimesAndPlaces: JSONValue {
        switch self {
        case .array(let elements): .array(elements.map(\.withoutTimesAndPlaces))
        case .object(let object):
            .object(
                JSONObject(
                    object.map { key, value in
                        switch (key, value) {
                        case ("createdAt", .string(let text)), ("updatedAt", .string(let text)):
                            (key, ParseDate(iso: text)?.iso == text ? "a time" : value)
                        case ("url", .string): (key, "an address")
                        default: (key, value.withoutTimesAndPlaces)
                        }
                    }))
        default: self
        }
    }
}
