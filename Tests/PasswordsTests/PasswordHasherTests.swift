import Dispatch
import Foundation
import Testing

@testable import Passwords

struct PasswordHasherTests {
    private let hasher = PasswordHasher(strength: .weakest)

    @Test func aHashMatchesItsPasswordOnly() async throws {
        let hash = try await hasher.hash("correct horse")
        #expect(hash.hasPrefix("$argon2id$v=19$m=8,t=1,p=1$"))
        #expect(try await hasher.matches("correct horse", hash))
        #expect(try await !hasher.matches("correct horsf", hash))
        #expect(try await !hasher.matches("", hash))
        #expect(try await hasher.hash("correct horse") != hash)
    }

    @Test func theDefaultHashStrengthIsTheOWASPMinimum() async throws {
        let hash = try await PasswordHasher().hash("a")
        #expect(hash.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
    }

    @Test func anUnknownUserIsComparedWithADummyThatNeverMatches() async throws {
        #expect(try await !hasher.matches("no user has this password", nil))
    }

    @Test func aHashOfAnotherStrengthNeedsARehash() async throws {
        let hash = try await hasher.hash("a")
        #expect(!hasher.needsRehash(hash))
        #expect(PasswordHasher().needsRehash(hash))
        #expect(hasher.needsRehash(Self.bcrypt))
        #expect(hasher.needsRehash("plain"))
    }

    /// Known hashes of OpenWall's crypt_blowfish, of the password `U*U`.
    private static let bcrypt = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"

    #if os(Linux)
        @Test func bcryptHashesOfImportedUsersAreVerified() async throws {
            for prefix in ["$2a$", "$2b$", "$2y$"] {
                let hash = prefix + Self.bcrypt.dropFirst(4)
                #expect(try await hasher.matches("U*U", hash), "\(prefix)")
                #expect(try await !hasher.matches("U*V", hash))
                #expect(try await !hasher.matches("U*U\0more", hash))
            }
        }
    #endif

    @Test func aHashOfAnUnknownKindOrOfExcessiveCostMatchesNothing() async throws {
        for hash in [
            "", "U*U", "$1$salt$hash", "$2a$31$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
            "$argon2id$v=19$m=99999999,t=2,p=1$c2FsdHNhbHQ$aGFzaA",
        ] { #expect(try await !hasher.matches("U*U", hash), "\(hash)") }
    }

    @Test func aVeryLongPasswordIsRefused() async throws {
        let long = String(repeating: "a", count: 4097)
        await #expect(throws: PasswordError.tooLong(bytesMax: 4096)) { try await hasher.hash(long) }
        #expect(try await !hasher.matches(long, nil))
    }

    @Test func aFullQueueOfPasswordsRefusesAndRecovers() async throws {
        let hasher = PasswordHasher(strength: PasswordStrength(memoryKiB: 8192, passes: 3), threads: 1, waitingMax: 2)
        let refused = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<30 {
                group.addTask {
                    do throws(PasswordError) {
                        _ = try await hasher.hash("a")
                        return false
                    } catch { return error == .busy }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        // At least two are accepted at once.
        #expect((1...28).contains(refused))
        #expect(try await hasher.hash("a").isEmpty == false)
    }

    #if os(Linux)
        /// A thread that a caller's task starts inherits the priority of the thread that resumes the task.
        @Test func callersOfTheHasherResumeWithNormalPriority() async {
            let thisThread = __priority_which_t(PRIO_PROCESS.rawValue)
            let answers = PasswordAnswers()
            for _ in 1...3 {
                answers.expect()
                let (normal, answering): (Int32, Int32) = await withCheckedContinuation { continuation in
                    let normal = getpriority(thisThread, 0)
                    Thread.detachNewThread {
                        setpriority(thisThread, 0, normal + 5)
                        answers.add { continuation.resume(returning: (normal, getpriority(thisThread, 0))) }
                    }
                }
                #expect(answering == normal)
            }
        }
    #endif

    /// Each result reaches its caller, even if the thread that delivers results ends and starts again between two
    /// results.
    @Test func manyConcurrentCallersGetTheirOwnResults() async throws {
        let hash = try await hasher.hash("right")
        let right = await withTaskGroup(of: Bool?.self) { group in
            for n in 0..<100 { group.addTask { try? await hasher.matches(n % 2 == 0 ? "right" : "wrong", hash) } }
            return await group.reduce(into: 0) { if $1 == true { $0 += 1 } }
        }
        #expect(right == 50)
    }
}
