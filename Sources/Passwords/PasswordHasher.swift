import Dispatch
import Foundation
import Synchronization

/// Hashes and verifies passwords on threads of its own, because each hash takes tens of milliseconds and megabytes of memory.
///
/// At most as many hashes run at a time as there are cores. Further ones wait, up to a maximum number.
package final class PasswordHasher: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var idle: [DispatchQueue]
    }

    package let strength: PasswordStrength
    private let waitingMax: Int
    private let runsOnCaller: Bool
    private let state: Mutex<State>
    /// The hash with which the password of an unknown user is compared. Made by the first comparison of any password.
    private let dummy = Mutex<String?>(nil)

    /// The default number of hashes at a time: the number of cores.
    package static let threadsStandard = ProcessInfo.processInfo.activeProcessorCount

    /// - Parameters:
    ///   - threads: the largest number of hashes at a time. With 0, each hash runs on its caller's thread.
    ///   - waitingMax: the largest number of waiting hashes. The default makes the last one wait for about two seconds.
    package init(
        strength: PasswordStrength = .standard, threads: Int = threadsStandard,
        waitingMax: Int = 128
    ) {
        self.strength = strength
        self.waitingMax = waitingMax
        runsOnCaller = threads == 0
        // A serial queue always gets a thread. A concurrent queue would share the threads of Swift tasks.
        state = Mutex(
            State(idle: (1...max(1, threads)).map { DispatchQueue(label: "tidegate.passwords.\($0)") }))
    }

    /// The hash of a password, with a random salt.
    package func hash(_ password: String) async throws(PasswordError) -> String {
        guard password.utf8.count <= PasswordFunction.bytesMax else {
            throw .tooLong(bytesMax: PasswordFunction.bytesMax)
        }
        let strength = strength
        return try await run { () throws(PasswordError) in try PasswordFunction.hash(password, strength) }
    }

    /// Whether the hash is that of the password.
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
        if runsOnCaller { return try work() }
        let result: Result<Value, PasswordError> = await withCheckedContinuation { continuation in
            let isTaken = start {
                do throws(PasswordError) {
                    continuation.resume(returning: .success(try work()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            if !isTaken { continuation.resume(returning: .failure(.busy)) }
        }
        return try result.get()
    }

    private func start(_ work: @escaping @Sendable () -> Void) -> Bool {
        let (isTaken, queue) = state.withLock { state -> (Bool, DispatchQueue?) in
            guard !state.idle.isEmpty || state.waiting.count < waitingMax else { return (false, nil) }
            state.waiting.append(work)
            return (true, state.idle.popLast())
        }
        queue?.async { [self] in
            while let work = next(orRest: queue) { work() }
        }
        return isTaken
    }

    private func next(orRest queue: DispatchQueue?) -> (@Sendable () -> Void)? {
        state.withLock { state in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            if let queue { state.idle.append(queue) }
            return nil
        }
    }
}
