import ParseModel
import RemoteService
import StoreService
import SyncModel

/// The reason why a change waits or a pull fails, and the way out.
package enum WaitReason: Sendable, Hashable {
    /// The author of the change has no session that the remote accepts. `userId` is nil for the user of a space.
    case logIn(userId: String?)
    /// Each sync ends with this error, although the remote answers.
    case sync(SyncError)
    /// The change points to a new object that the remote does not have yet.
    case target(WaitingChange.Target)
    /// A file in the change is not on the remote yet.
    case file(WaitingChange.File)
    /// A request with the change got no clear answer.
    case unknownOutcome(error: String?)
    /// The remote has refused the change for the time being.
    case refusedForNow(code: Int, message: String)
    /// The last attempt failed with this message.
    case failed(message: String)
    /// The pulls of the class fail with this message.
    case pull(message: String)
    /// The running sync has not reached the change yet.
    case running(SyncProgress)
    /// The last syncs have left the change out. The file does not say why.
    case unexplained

    /// The facts about the syncs that may be the reason why a change waits.
    package struct Syncs: Sendable {
        /// The error that ended the last sync although the remote answered; nil for none.
        package var error: SyncError?
        /// The messages of failing pulls, by class.
        package var failingPulls: [String: String]
        /// The progress of a sync that has been running for a long time; nil for none.
        package var progress: SyncProgress?

        package init(
            error: SyncError? = nil, failingPulls: [String: String] = [:], progress: SyncProgress? = nil
        ) {
            (self.error, self.failingPulls, self.progress) = (error, failingPulls, progress)
        }
    }

    /// Finds out why a change waits.
    /// - Parameter waitsForLogIn: whether the author of the change has no session that the remote accepts.
    package init(of change: WaitingChange, _ syncs: Syncs, waitsForLogIn: Bool) {
        self =
            if let error = syncs.error {
                Self(error)
            } else if waitsForLogIn {
                .logIn(userId: change.author.userId)
            } else if let target = change.targets.first(where: { $0.standing != .waiting }) ?? change.targets.first {
                .target(target)
            } else if let file = change.files.max(by: { $0.attempts < $1.attempts }) {
                .file(file)
            } else if change.phase != .pending {
                .unknownOutcome(error: change.error)
            } else if let code = change.code {
                .refusedForNow(code: code, message: change.error ?? "")
            } else if let error = change.error {
                .failed(message: error)
            } else if let message = syncs.failingPulls[change.object.className] {
                .pull(message: message)
            } else if let progress = syncs.progress {
                .running(progress)
            } else {
                .unexplained
            }
    }

    /// The reason why syncs fail.
    package init(_ error: SyncError) {
        self = if case .waitsForLogIn = error { .logIn(userId: nil) } else { .sync(error) }
    }

    /// The machine-readable name of the reason.
    package var name: String {
        switch self {
        case .logIn: "logIn"
        case .sync: "sync"
        case .target: "object"
        case .file: "file"
        case .unknownOutcome: "unknownOutcome"
        case .refusedForNow: "refusedForNow"
        case .failed: "failed"
        case .pull: "pull"
        case .running: "running"
        case .unexplained: "unexplained"
        }
    }

    /// The reason as a sentence.
    package var text: String {
        switch self {
        case .logIn(let userId):
            "It waits until \(userId.map { "the user \($0)" } ?? "the user") logs in."
        case .sync(let error): "Each sync ends early. \(error.message.withFullStop)"
        case .target(let target): "It points to \(target.object.path), \(target.standing.words)."
        case .file(let file):
            "Its file \(FileName.given(file.name)) is not on the remote yet\(file.tries)."
        case .unknownOutcome(let error):
            "It was sent, and the remote has given no clear answer\(Self.remark(error)). The gateway reads the object until the "
                + "outcome is known."
        case .refusedForNow(let code, let message):
            "The remote refuses it for the time being: \(message) (code \(code))."
        case .failed(let message): "The last attempt failed: \(message.withFullStop)"
        case .pull(let message): "The class cannot be pulled: \(message.withFullStop)"
        case .running(let progress): "The running sync has not reached it yet (\(progress.words))."
        case .unexplained: "The last syncs have left it out."
        }
    }

    private static func remark(_ error: String?) -> String { error.map { " (\($0))" } ?? "" }
}

/// The ways out of a wait.
extension WaitReason {
    /// The way out for a change, as one or two sentences.
    package func wayOut(of change: WaitingChange) -> String {
        let undo = "DELETE /sync/pending/\(change.id)"
        return switch self {
        case .logIn: "After a log-in of the user at this gateway, the change is sent."
        case .sync(let error): Self.wayOut(of: error)
        case .target(let target): target.wayOut
        case .file:
            "Upload a file that the remote accepts, and save the object with it. To give the change up: \(undo)."
        case .unknownOutcome:
            "POST /sync makes the gateway look again at once. If the remote never shows the object, check the right of the "
                + "gateway's keys to read it."
        case .refusedForNow, .failed:
            "Correct the cause on the remote; the change is then sent by itself. To give it up: \(undo)."
        case .pull: Self.wayOutOfPull
        case .running: "The change is sent after the running pull. GET /sync shows the progress."
        case .unexplained: "POST /sync?wait=true shows warnings. To give the change up: \(undo)."
        }
    }

    /// The way out for a class whose pulls fail.
    package static let wayOutOfPull =
        "Run tidegate doctor, then correct the class or its rights on the remote, or the class's options (PUT /sync/classes)."

    /// The way out of an error that ends each sync.
    package static func wayOut(of error: SyncError) -> String {
        switch error {
        case .waitsForLogIn: "The next log-in of the user at this gateway ends it."
        case .unauthorized, .classUnauthorized: "Correct the keys in the settings of the gateway, and start it again."
        case .storeFull: "Free space on the disk."
        case .store: "See the log of the gateway, and run tidegate doctor --check-file."
        case .refused, .offline, .unusable, .foreign, .halted:
            "Run tidegate doctor, then correct the cause on the remote."
        }
    }
}

extension WaitingChange.Target {
    fileprivate var wayOut: String {
        switch standing {
        case .waiting: "GET \(object.path)?_why=true tells why that object waits."
        case .rejected: "Decide about that object: GET /sync/rejections lists its change."
        case .inConflict: "Decide about that object: GET /sync/conflicts lists its conflict."
        }
    }
}

extension WaitingChange.Target.Standing {
    fileprivate var words: String {
        switch self {
        case .waiting: "which is not on the remote yet"
        case .rejected: "which the remote has refused"
        case .inConflict: "which has an open conflict"
        }
    }
}

extension WaitingChange.File {
    /// The failed uploads, as the end of a sentence; empty for none.
    fileprivate var tries: String {
        guard attempts > 0 else { return "" }
        return ": \(attempts.counted("upload")) failed\(error.map { ", the last with: \($0)" } ?? "")"
    }
}

extension SyncProgress {
    /// The phase and its progress: `pull Holiday, 300 of 1200`.
    fileprivate var words: String {
        let amount = total.map { "\(done) of \($0)" } ?? (done > 0 ? "\(done)" : nil)
        return [[phase.rawValue, className].compactMap(\.self).joined(separator: " "), amount].compactMap(\.self)
            .joined(separator: ", ")
    }
}

extension Pointer {
    /// The path of the object in the API.
    package var path: String { "/classes/\(className)/\(objectId)" }
}

extension String {
    /// The text with a full stop, unless it ends with a punctuation mark.
    package var withFullStop: String { last.map { ".!?…".contains($0) } == true ? self : self + "." }
}
