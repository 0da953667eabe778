/// The problems of user accounts in a standalone gateway's file: users without a password, and user names and e-mail
/// addresses that several users share.
package struct AccountFindings: Sendable, Hashable {
    /// The number of users who have a user name and no password. Some may be anonymous.
    package let withoutPassword: Int
    /// The names of the users without a password, folded to lower case. At most ten.
    package let namesWithoutPassword: [String]
    /// User names and e-mail addresses that several users have, folded to lower case. At most ten of each.
    package let duplicates: [String]

    package init(withoutPassword: Int, namesWithoutPassword: [String], duplicates: [String]) {
        self.withoutPassword = withoutPassword
        self.namesWithoutPassword = namesWithoutPassword
        self.duplicates = duplicates
    }

    /// The findings as lines for users; empty if there is nothing to report.
    package var lines: [String] {
        var lines: [String] = []
        if withoutPassword > 0 {
            let who = withoutPassword == 1 ? "1 user has" : "\(withoutPassword) users have"
            let others = withoutPassword > namesWithoutPassword.count ? ["…"] : []
            let names = (namesWithoutPassword + others).joined(separator: ", ")
            lines.append("\(who) no password and cannot log in (\(names)): 'tidegate user passwd NAME' sets one")
        }
        if !duplicates.isEmpty {
            lines.append("several users have the same name or e-mail address: \(duplicates.joined(separator: ", "))")
        }
        return lines
    }
}
