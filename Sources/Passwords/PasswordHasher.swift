import Foundation
import Synchronization

/// Hashes and verifies passwords on threads of its own, because each hash takes tens of milliseconds and megabytes of memory.
///
/// At most one hash for every two cores runs at a time, but at least one. Further ones wait, up to a maximum number. The threads have a
/// lower priority than the others of the process, so that reads beside log-ins wait less for a core.
package final class PasswordHasher: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var threads = 0
    }

    package let strength: PasswordStrength
    private let threadsMax: Int
    private let waitingMax: Int
    private let state = Mutex(State())
    private let answers = PasswordAnswers()
    /// The hash with which the password of an unknown user is compared. Made by the first comparison of any password.
    private let dummy = Mutex<String?>(nil)

    #if os(Linux)
        /// The niceness (see nice(2)) of the threads, relative to the thread that made the hasher.
        private static let addedNiceness: Int32 = 10
        private static let thisThread = __priority_which_t(PRIO_PROCESS.rawValue)
        private let niceness = getpriority(thisThread, 0) + addedNiceness
    #endif

    /// The default number of hashes at a time: half of the cores, at least one. With a hash on each core, the slowest hundredth of reads
    /// beside log-ins took four times as long as without them.
    package static let threadsStandard = max(1, ProcessInfo.processInfo.activeProcessorCount / 2)

    /// - Parameters:
    ///   - threads: the largest number of hashes at a time. With 0, each hash runs on its caller's thread.
    ///   - waitingMax: the largest number of waiting hashes. The default makes the last one wait for two to three seconds on
    ///     two idle cores, and several times as long beside many reads.
    package init(
        strength: PasswordStrength = .standard, threads: Int = threadsStandard,
        waitingMax: Int = 128
    ) {
        self.strength = strength
        self.waitingMax = waitingMax
        threadsMax = threads
    }

    /// The hash of a password, with a random salt.
    package func hash(_ password: String) async throws(PasswordError) -> String {
        guard password.utf8.count <= PasswordFunction.bytesMax else {
            throw .tooLong(bytesMax: PasswordFunction.bytesMax)
        }
        let strength = strength
        return try await run { () throws(PasswordError) in try PasswordFunction.hash(password, strength) }
    }

    /// Whether the hash was made from the password.
    /// - Parameter hash: nil for an unknown user, or one without a password. The comparison then takes as long as with a hash of
    ///   the present strength, and its result is false.
    package func matches(_ password: String, _ hash: String?) async throws(PasswordError) -> Bool {
        try await run { [self] () throws(PasswordError) in
            let dummy = try dummyHash()
            let isMatch = PasswordFunction.matches(password, hash ?? dummy)
            return isMatch && hash != nil
        }
    }

    /// Whether the hash should be replaced at the next log-in: it is not Argon2id, or has other costs than the present strength.
    package func needsRehash(_ hash: String) -> Bool { StoredHash(hash) != .argon2id(strength) }

    /// Whether passwords can be compared with the hash on this platform.
    package static func canVerify(_ hash: String) -> Bool {
        switch StoredHash(hash) {
        case .argon2id: true
        case .bcrypt: PasswordFunction.hasBcrypt
        case .unknown: false
        }
    }

    private func dummyHash() throws(PasswordError) -> String {
        if let known = dummy.withLock({ $0 }) { return known }
        let made = try PasswordFunction.hash("no user has this password", strength)
        dummy.withLock { $0 = made }
        return made
    }

    // MARK: Threads

    private func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws(PasswordError) -> Value
    ) async throws(PasswordError) -> Value {
        if threadsMax == 0 { return try work() }
        let result: Result<Value, PasswordError> = await withCheckedContinuation { continuation in
            let isTaken = start {
                let result = Result { () throws(PasswordError) in try work() }
                self.answers.add { continuation.resume(returning: result) }
            }
            if !isTaken { continuation.resume(returning: .failure(.busy)) }
        }
        return try result.get()
    }

    /// - Returns: false if too many hashes wait.
    private func start(_ work: @escaping @Sendable () -> Void) -> Bool {
        let (isTaken, needsThread) = state.withLock { state in
            let needsThread = state.threads < threadsMax
            guard needsThread || state.waiting.count < waitingMax else { return (false, false) }
            state.waiting.append(work)
            if needsThread { state.threads += 1 }
            return (true, needsThread)
        }
        if isTaken { answers.expect() }
        guard needsThread else { return isTaken }
        let thread = Thread { [self] in
            #if os(Linux)
                // Linux applies this to the calling thread alone. A thread cannot return to its former priority without
                // a privilege, so threads of the hasher's own are used instead of Dispatch's.
                _ = setpriority(Self.thisThread, 0, niceness)
            #endif
            while let work = next() { work() }
        }
        thread.name = "passwords"
        #if !os(Linux)
            thread.qualityOfService = .utility
        #endif
        thread.start()
        return isTaken
    }

    /// The next waiting hash; nil ends the thread.
    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.threads -= 1
            return nil
        }
    }
}

/// The reason why a password was not hashed or verified.
package enum PasswordError: Error, Sendable, Hashable {
    /// Too many passwords wait to be hashed or verified.
    case busy
    /// The system lacks the memory for a hash.
    case outOfMemory
    /// The password is longer than the maximum, in bytes.
    case tooLong(bytesMax: Int)
}
