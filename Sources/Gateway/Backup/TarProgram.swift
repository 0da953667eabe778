import Foundation

/// Runs the system's `tar`, so that any machine can open a backup.
struct TarProgram {
    private static let places = ["/usr/bin/tar", "/bin/tar"]

    private let path: String

    /// - Throws: `GatewayError` if the machine has no `tar`.
    init() throws(GatewayError) {
        guard let path = Self.places.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            throw GatewayError("backups need the program tar, which is not in /usr/bin or /bin")
        }
        self.path = path
    }

    /// Writes an archive.
    /// - Parameters:
    ///   - list: the path of a file with the names of the members, one a line, relative to `directory`.
    ///   - wait: called ten times a second meanwhile.
    func create(
        _ archive: String, from directory: String, listedIn list: String, whileWaiting wait: () -> Void = {}
    ) throws(GatewayError) {
        try run(["-cf", archive, "-C", directory, "-T", list], "write \(archive)", whileWaiting: wait) { _ in }
    }

    /// Unpacks an archive. Its files belong to the present user.
    /// - Parameter wait: called ten times a second meanwhile.
    func extract(
        _ archive: String, to directory: String, whileWaiting wait: () -> Void = {}
    ) throws(GatewayError) {
        try run(["-xof", archive, "-C", directory], "unpack \(archive)", whileWaiting: wait) { _ in }
    }

    /// Reads the content of one member.
    func content(of member: String, in archive: String) throws(GatewayError) -> [UInt8] {
        var bytes: [UInt8] = []
        try run(["-xOf", archive, member], "read \(archive)") { bytes += $0 }
        return bytes
    }

    /// Reads the contents of all members, one after another.
    func contents(of archive: String, _ read: (Data) -> Void) throws(GatewayError) {
        try run(["-xOf", archive], "read \(archive)", read)
    }

    /// The names of all members, in their order. The names of a backup's members are ASCII, which tar prints as they are.
    func names(in archive: String) throws(GatewayError) -> [String] {
        var bytes: [UInt8] = []
        try run(["-tf", archive], "read \(archive)") { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func run(
        _ arguments: [String], _ operation: String, whileWaiting wait: () -> Void = {}, _ read: (Data) -> Void
    ) throws(GatewayError) {
        let (process, output, errors) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        // Without this variable, the tar of macOS adds members with the attributes of files.
        process.environment = ["LC_ALL": "C", "COPYFILE_DISABLE": "1"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        do { try process.run() } catch { throw GatewayError("cannot start \(path): \(error.localizedDescription)") }
        do {
            while true {
                var state = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
                if poll(&state, 1, 100) == 0 {
                    wait()
                    continue
                }
                guard let data = try output.fileHandleForReading.read(upToCount: 1 << 20), !data.isEmpty else { break }
                read(data)
            }
        } catch {
            process.terminate()
            throw GatewayError("cannot \(operation): \(error.localizedDescription)")
        }
        // tar prints only few lines, which fit into the pipe.
        let lines = (try? errors.fileHandleForReading.readToEnd()).map { String(decoding: $0, as: UTF8.self) } ?? ""
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            let reason = lines.split(separator: "\n").prefix(3).joined(separator: "; ")
            throw GatewayError("cannot \(operation): \(reason.isEmpty ? "tar failed" : reason)")
        }
    }
}
