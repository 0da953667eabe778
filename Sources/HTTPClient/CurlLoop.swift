import CCurl
import Foundation
import Synchronization

/// Runs all transfers of one transport on one thread.
final class CurlLoop: @unchecked Sendable {
    // Only the thread of this loop uses `active` and `waiting`, so these need no lock. Other threads use `multi` only for
    // `curl_multi_wakeup`.
    typealias Result = Swift.Result<HTTPClientResponse, HTTPTransportError>

    enum Command: Sendable {
        case start(CurlTransfer, CheckedContinuation<Result, Never>)
        case cancel(CurlTransfer)
    }

    private struct Inbox {
        var commands: [Command] = []
        var isClosing = false
        /// True once the thread has left its loop. The thread then frees `multi`, so no other thread may use `multi` any more.
        var isClosed = false
    }

    private struct Job {
        let transfer: CurlTransfer
        let continuation: CheckedContinuation<Result, Never>
    }

    private static let isLibraryReady = tidegate_curl_global_init() == CURLE_OK

    private let inbox = Mutex(Inbox())
    private let multi: UnsafeMutableRawPointer
    private let transfersMax: Int
    private var active: [UnsafeMutableRawPointer: Job] = [:]
    /// The requests that wait because `transfersMax` transfers are active, oldest first. libcurl's own queue is not used: in
    /// version 7.88, a request can stay in that queue although a connection is free.
    private var waiting: [Job] = []

    init(transfersMax: Int) {
        precondition(Self.isLibraryReady, "libcurl cannot be initialised")
        guard let multi = curl_multi_init() else { preconditionFailure("libcurl is out of memory") }
        self.multi = multi
        self.transfersMax = transfersMax
        tidegate_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, transfersMax)
        let thread = Thread { self.run() }
        thread.name = "http-client"
        thread.start()
    }

    func submit(_ command: Command) {
        let isTaken = inbox.withLock { inbox in
            guard !inbox.isClosing else { return false }
            inbox.commands.append(command)
            curl_multi_wakeup(multi)
            return true
        }
        if !isTaken, case .start(_, let continuation) = command {
            continuation.resume(returning: .failure(.notSent(reason: "the client is closed")))
        }
    }

    func close() {
        inbox.withLock { inbox in
            inbox.isClosing = true
            if !inbox.isClosed { curl_multi_wakeup(multi) }
        }
    }

    private func run() {
        Self.blockBrokenPipeSignal()
        var isClosing = false
        while !isClosing {
            let commands = inbox.withLock { inbox in
                isClosing = inbox.isClosing
                defer { inbox.commands = [] }
                return inbox.commands
            }
            for command in commands { execute(command) }
            startWaiting()
            var running: Int32 = 0
            let code = curl_multi_perform(multi, &running)
            finishTransfers()
            if code != CURLM_OK { endAll(reason: String(cString: curl_multi_strerror(code))) }
            let canStartMore = !waiting.isEmpty && active.count < transfersMax
            // Waits at most 60 s for a socket, a libcurl timeout or `curl_multi_wakeup`. Does not wait if a request can start.
            if !isClosing { curl_multi_poll(multi, nil, 0, canStartMore ? 0 : 60_000, nil) }
        }
        endAll(reason: "the client was closed")
        inbox.withLock { $0.isClosed = true }
        curl_multi_cleanup(multi)
    }

    private func execute(_ command: Command) {
        switch command {
        case .start(let transfer, let continuation):
            waiting.append(Job(transfer: transfer, continuation: continuation))
        case .cancel(let transfer):
            transfer.isCancelled = true
            if let handle = transfer.handle { end(handle) { $0.aborted(reason: "cancelled") } }
        }
    }

    private func startWaiting() {
        // A cancelled request fails at once, also while `transfersMax` transfers are active.
        let cancelled = waiting.filter(\.transfer.isCancelled)
        waiting.removeAll(where: \.transfer.isCancelled)
        let next = waiting.prefix(max(0, transfersMax - active.count))
        waiting.removeFirst(next.count)
        for job in cancelled + next {
            do throws(HTTPTransportError) {
                let handle = try job.transfer.prepare()
                active[handle] = job
                curl_multi_add_handle(multi, handle)
            } catch {
                job.continuation.resume(returning: .failure(error))
            }
        }
    }

    private func finishTransfers() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
            let code = message.pointee.data.result
            end(handle) { $0.finished(code) }
        }
    }

    private func endAll(reason: String) {
        for handle in active.keys { end(handle) { $0.aborted(reason: reason) } }
        for job in waiting { job.continuation.resume(returning: job.transfer.aborted(reason: reason)) }
        waiting = []
    }

    /// Blocks SIGPIPE on this thread. A TLS library can cause this signal by writing to a closed connection. libcurl does not
    /// ignore the signal if CURLOPT_NOSIGNAL is set.
    static func blockBrokenPipeSignal() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private func end(_ handle: UnsafeMutableRawPointer, _ outcome: (CurlTransfer) -> Result) {
        guard let job = active.removeValue(forKey: handle) else { return }
        // Resumes the caller before the cleanup, because in an older libcurl the cleanup waits for a running name resolution.
        job.continuation.resume(returning: outcome(job.transfer))
        curl_multi_remove_handle(multi, handle)
        job.transfer.cleanUp()
    }
}
