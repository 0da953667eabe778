import Foundation
import RemoteHTTP

/// Reads the remote's token from a file or from the output of a command, and keeps it until the remote refuses it.
actor TokenReader: TokenSource {
    enum Source: Sendable {
        case file(String)
        /// Run by `/bin/sh -c`.
        case command(String)
    }

    /// The minimum time between two repeated reads.
    private static let interval = Duration.seconds(60)
    /// The maximum run time of a command in seconds.
    private static let commandTimeout: Double = 20
    /// The maximum length of the file or output in bytes.
    private static let bytesMax = 65_536

    private let source: Source
    private let uptime: @Sendable () -> Duration
    private let read: @Sendable (Source) async -> String?
    private var current: String?
    /// The time of the latest read that was limited by `interval`: a repeated read, or one that gave no token.
    private var readAt: Duration?
    /// The current read, which all requests share.
    private var reading: Task<Void, Never>?

    /// - Parameters:
    ///   - uptime: the time since the start of the machine.
    ///   - read: reads the token from its source; nil if there is none.
    init(
        _ source: Source,
        uptime: @escaping @Sendable () -> Duration = { .seconds(ProcessInfo.processInfo.systemUptime) },
        read: @escaping @Sendable (Source) async -> String? = TokenReader.text
    ) {
        self.source = source
        self.uptime = uptime
        self.read = read
    }

    func token() async -> String? {
        if current == nil { await readAgain() }
        return current
    }

    func renewed(after refused: String?) async -> String? {
        // Another request may have renewed the token meanwhile.
        if current == refused { await readAgain() }
        return current == refused ? nil : current
    }

    private func readAgain() async {
        if let reading { return await reading.value }
        let now = uptime()
        if let readAt, now < readAt + Self.interval { return }
        let isRepeated = current != nil
        let task = Task {
            let text = await read(source)
            current = text ?? current
            if isRepeated || text == nil { readAt = now }
        }
        reading = task
        await task.value
        reading = nil
    }

    /// The token in the file or output, without white space around it; nil if there is none. Runs on a thread of its own, because a
    /// command may take long.
    static let text: @Sendable (Source) async -> String? = { source in
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: textNow(source)) }
        }
    }

    private static func textNow(_ source: Source) -> String? {
        let data: Data?
        switch source {
        case .file(let path): data = FileManager.default.contents(atPath: path)
        case .command(let command): data = output(of: command)
        }
        guard let data, data.count <= bytesMax else { return nil }
        let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        // A header cannot contain control characters.
        guard !text.isEmpty, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        return text
    }

    private static func output(of command: String) -> Data? {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        do { try process.run() } catch { return nil }
        guard let data = contents(of: pipe.fileHandleForReading.fileDescriptor) else {
            process.terminate()
            return nil
        }
        process.waitUntilExit()
        return process.terminationStatus == 0 ? data : nil
    }

    /// Reads until the end of a pipe. A command may wait for an input that never comes, or leave a process behind that holds its
    /// output, so the reading has a deadline.
    /// - Returns: nil after `commandTimeout`, and for more than `bytesMax` bytes.
    private static func contents(of pipe: Int32) -> Data? {
        let begun = ProcessInfo.processInfo.systemUptime
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 4096)
        while data.count <= bytesMax {
            let left = commandTimeout - (ProcessInfo.processInfo.systemUptime - begun)
            var waiting = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
            guard left > 0, poll(&waiting, 1, Int32(left * 1000) + 1) > 0 else { return nil }
            let count = Foundation.read(pipe, &buffer, buffer.count)
            guard count > 0 else { return count == 0 ? data : nil }
            data += buffer[..<count]
        }
        return nil
    }
}

extension RemoteToken {
    var source: any TokenSource {
        switch self {
        case .fixed(let token): FixedToken(token.value)
        case .file(let path): TokenReader(.file(path))
        case .command(let command): TokenReader(.command(command))
        }
    }
}
