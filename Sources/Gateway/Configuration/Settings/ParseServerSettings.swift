import GatewayAPI
import StoreService

/// The settings of a standalone gateway that change how its Parse API answers.
package enum ParseServerSettings: SettingGroup {
    package static let title = "Parse API of a standalone gateway"
    package static let settings: [Setting] = [
        .compatibility, .errorDetails, .requestComplexity, .routeAllowList, .duplicateDeviceToken,
        .fileExtensions,
    ]
}

extension Setting {
    package static let routeAllowList = Setting(
        "route-allow-list", .regularExpressions, \.routeAllowList,
        "A regular expression of routes that clients without the master key may use, such as classes/Note(/.*)?. Other "
            + "routes are refused with code 119, except files, /health and /ready. A live query needs the route that lists "
            + "its class. Parse Server's routeAllowList.")
    package static let fileExtensions = Setting(
        "file-extensions", .regularExpressions, \.fileExtensions,
        default: "all except html, htm, shtml, xhtml, xht, svg, svgz, xml, xsl and xslt; with --compatibility 7 all",
        "A regular expression of the file extensions, in lower case, that clients without the master key may upload. "
            + "Parse Server's fileUpload.fileExtensions.")
    package static let duplicateDeviceToken = Setting(
        "duplicate-device-token", .choice("action"), \.duplicateDeviceToken,
        "If a new installation has the device token of another installation, delete the other one, or update it by "
            + "removing its token. Parse Server's installation.duplicateDeviceTokenAction.")
    package static let requestComplexity = Setting(
        "request-complexity", .requestComplexity, \.requestComplexity,
        default:
            "batchRequestLimit=100, includeDepth=10, includeCount=100, queryDepth=10, subqueryDepth=10, allowRegex=true; "
            + "with --compatibility 7 no bounds",
        "A limit for requests without the master key, as in Parse Server's requestComplexity; -1 for no limit.")
    package static let errorDetails = Setting(
        "error-details", .flag, \.showsErrorDetails,
        "Tell clients on this machine why a request is denied. Others read Permission denied, as on Parse Server 9, and the "
            + "log has the reason. All clients of a proxy on this machine count as clients on this machine.")
    package static let compatibility = Setting(
        "compatibility", .choice("version"), \.compatibility, isCommon: true,
        "The major version of Parse Server whose answers the gateway gives where versions differ: 7 or 9.")
}

extension SettingType where Value == [RequestComplexity.Bound: Int?] {
    fileprivate static var requestComplexity: Self {
        Self(valueName: "name=number", form: .list) { given throws(ConfigurationError) in
            var bounds: Value = [:]
            for text in given.texts {
                let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
                guard parts.count == 2, let bound = RequestComplexity.Bound(rawValue: parts[0]),
                    let number = bound.number(parts[1])
                else {
                    let names = RequestComplexity.Bound.allCases.map(\.rawValue).joined(separator: ", ")
                    throw given.wrong(
                        "'\(text)' is not one of \(names) with a number of at least 1 or -1, as in includeDepth=5; "
                            + "allowRegex is true or false")
                }
                bounds.updateValue(number < 0 ? nil : number, forKey: bound)
            }
            return bounds
        }
    }
}

extension SettingType where Value == [String] {
    fileprivate static var regularExpressions: Self {
        Self(valueName: "pattern", form: .list) { given throws(ConfigurationError) in
            for text in given.texts where (try? RegularExpression.compiled(text, options: "")) == nil {
                throw given.wrong("'\(text)' is not a regular expression")
            }
            return given.texts
        }
    }
}

extension RequestComplexity.Bound {
    /// The number of a value: 0 and 1 for false and true.
    fileprivate func number(_ text: String) -> Int? {
        guard self != .allowRegex else { return ["false": 0, "true": 1][text] }
        return Int(text).flatMap { $0 > 0 || $0 == -1 ? $0 : nil }
    }
}
