import Foundation
import Testing

@testable import Gateway

/// Tests the default directories of the data and of the web page.
struct ConfigurationDirectoriesTests {
    @Test func theDataDirectoryFollowsAnAbsoluteXDGPath() {
        #expect(directories(["HOME": "/home/ada", "XDG_DATA_HOME": "/big"]).data(named: "tidegate") == "/big/tidegate")
        let relative = directories(["HOME": "/home/ada", "XDG_DATA_HOME": "big"]).data(named: "tidegate")
        #expect(relative?.hasPrefix("/home/ada/") == true)
    }

    @Test func relativeDirectorySettingsBecomeAbsolute() {
        let directories = directories(["HOME": "/home/ada"])
        #expect(directories.absolute("~/gate") == "/home/ada/gate")
        #expect(directories.absolute("gate") == "/home/ada/here/gate")
        #expect(directories.absolute("/gate") == "/gate")
    }

    @Test func webPageInTheBuiltPackageIsFound() throws {
        let package = try TemporaryDirectory(files: ["web/index.html", "openapi.yaml"])
        for build in [".build/release/tidegate", ".build/x86_64-unknown-linux-gnu/release/tidegate"] {
            let directories = directories([:], executable: "\(package.path)/\(build)")
            #expect(directories.web() == "\(package.path)/web")
        }
    }

    @Test func bundledPageBesideTheProgramTakesPrecedence() throws {
        let package = try TemporaryDirectory(
            files: ["web/index.html", "openapi.yaml", ".build/release/page/index.html", ".build/debug/tidegate"])
        let release = directories([:], executable: "\(package.path)/.build/release/tidegate")
        #expect(release.web() == "\(package.path)/.build/release/page")
        #expect(release.openAPIFile() == "\(package.path)/openapi.yaml")
        let debug = directories([:], executable: "\(package.path)/.build/debug/tidegate")
        #expect(debug.web() == "\(package.path)/web")
    }

    @Test func webPageOfAnInstalledProgramIsFound() throws {
        let prefix = try TemporaryDirectory(files: ["share/tidegate/web/index.html", "share/tidegate/openapi.yaml"])
        let directories = directories([:], executable: "\(prefix.path)/bin/tidegate")
        #expect(directories.web() == "\(prefix.path)/share/tidegate/web")
        #expect(directories.openAPIFile() == "\(prefix.path)/share/tidegate/openapi.yaml")
    }

    @Test func installedWebPageTakesPrecedenceOverTheWorkingDirectory() throws {
        let prefix = try TemporaryDirectory(files: ["share/tidegate/web/index.html", "share/tidegate/openapi.yaml"])
        let current = try TemporaryDirectory(files: ["web/index.html", "openapi.yaml"])
        let directories = directories([:], current: current.path, executable: "\(prefix.path)/bin/tidegate")
        #expect(directories.web() == "\(prefix.path)/share/tidegate/web")
        #expect(directories.openAPIFile() == "\(prefix.path)/share/tidegate/openapi.yaml")
    }

    @Test func directoryNamedWebWithoutTidegatesPageIsIgnored() throws {
        let other = try TemporaryDirectory(files: ["web/index.html"])
        #expect(directories([:], current: other.path).web() == nil)
        let own = try TemporaryDirectory(files: ["web/index.html", "openapi.yaml"])
        #expect(directories([:], current: own.path).web() == "\(own.path)/web")
    }

    private func directories(
        _ environment: [String: String], current: String = "/home/ada/here", executable: String? = nil
    ) -> StandardDirectories {
        StandardDirectories(environment: environment, current: current, executable: executable)
    }
}
