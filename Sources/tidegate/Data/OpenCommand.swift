import ArgumentParser
import Foundation
import ParseModel

/// `tidegate open`: opens the gateway's page in the browser.
struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Opens the page of a running gateway in the browser.",
        discussion: "Without a display, or with --print, prints the address of the page.")

    @Argument(help: ArgumentHelp("The class or the object to show.", valueName: "class[/id]")) var target: String?
    @Flag(name: .customLong("print"), help: "Only print the address.") var prints = false
    @Flag(help: "Print {\"url\": …, \"opened\": …}, or {\"error\": …}.") var json = false
    @OptionGroup var options: ConnectionOptions

    func validate() throws {
        if let target, target.isEmpty || target.contains("/") && ObjectName(argument: target) == nil {
            throw ValidationError("'\(target)' is neither a class nor an object: write Class or Class/id")
        }
    }

    func run() async throws {
        do {
            let client = try await options.runningClient(.user)
            _ = try await client.call(.get, "/health")
            let url = client.url + "/" + Self.fragment(target)
            let isOpened = !prints && Self.open(url, ProcessInfo.processInfo.environment)
            let answer: JSONObject = ["url": .string(url), "opened": .bool(isOpened)]
            Console.print(json ? answer.jsonText : url)
        } catch let error where json {
            try Console.failAsJSON(error)
        }
    }

    /// The fragment of the page's address, such as `#/Task/xO5TCC3Ntj`.
    static func fragment(_ target: String?) -> String {
        guard let target else { return "" }
        let parts = ObjectName(argument: target).map { [$0.className, $0.objectId] } ?? [target]
        return "#/" + parts.map(PercentCoding.encodedPathSegment).joined(separator: "/")
    }

    /// Opens an address in the browser.
    /// - Returns: false without a display, or without a program that opens addresses.
    private static func open(_ url: String, _ environment: [String: String]) -> Bool {
        #if os(macOS)
            let opener = "open"
        #else
            let opener = "xdg-open"
            guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { environment[$0]?.isEmpty == false }) else {
                return false
            }
        #endif
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [opener, url]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
