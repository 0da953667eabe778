/// The kind and the costs of a stored password hash, parsed from its text.
enum StoredHash: Equatable {
    /// Argon2id in the PHC format: `$argon2id$v=19$m=19456,t=2,p=1$…`.
    case argon2id(PasswordStrength)
    /// bcrypt in the formats `$2a$`, `$2b$` and `$2y$`, with the logarithm of its cost.
    case bcrypt(cost: Int)
    case unknown

    /// The largest cost of a bcrypt hash that is verified. Each step doubles the time; 14 takes about a second.
    static let bcryptCostMax = 14

    init(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
        self = .unknown
        guard parts.count >= 4, parts[0].isEmpty else { return }
        switch parts[1] {
        case "argon2id":
            let costs = parts[3].split(separator: ",").map(String.init)
            guard costs.count == 3, let memory = Self.number(costs[0], "m="), let passes = Self.number(costs[1], "t="),
                PasswordStrength.memoryKiBRange.contains(memory), PasswordStrength.passesRange.contains(passes)
            else { return }
            self = .argon2id(PasswordStrength(memoryKiB: memory, passes: passes))
        case "2a", "2b", "2y":
            guard let cost = Int(parts[2]), (4...Self.bcryptCostMax).contains(cost), text.utf8.count == 60 else {
                return
            }
            self = .bcrypt(cost: cost)
        default: return
        }
    }

    private static func number(_ text: String, _ prefix: String) -> Int? {
        text.hasPrefix(prefix) ? Int(text.dropFirst(prefix.count)) : nil
    }
}
