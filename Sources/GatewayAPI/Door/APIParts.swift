import HTTPServer
import Logging
import ParseModel
import Passwords
import StoreService

/// The parts of an API that are the same in every product, such as the store, the limits, the key check and the threads for
/// reads.
package struct APIParts: Sendable {
    let store: any ObjectStore
    let configuration: APIConfiguration
    let environment: Environment
    let logger: Logger
    let responses: ResponseBuilder
    let errors: ErrorResponder
    let log: RequestLog
    /// Records sign-ins and changes with the master key; nil without an audit log.
    let audit: AuditStage?
    let keyCheck: KeyCheck
    let originGuard: OriginGuard
    /// The threads for slow work.
    let threads: BlockingReads
    /// Limits the number of requests that wait for the remote.
    let waits = RemoteWaits()
    let hasher: PasswordHasher
    let requestMetrics: RequestMetrics
    /// The sources of `/metrics` besides the API itself.
    let metrics: [any MetricsSource]
    /// What the program knows about itself; nil in an API that no program serves.
    let report: (any ProgramReport)?
    /// The first steps of a standalone gateway; nil for none.
    let setup: (any GatewaySetup)?
    /// Makes the small forms of pictures; nil if the gateway makes none.
    let thumbnails: (any Thumbnails)?

    var limits: RequestLimits { configuration.limits }
    var uptime: @Sendable () -> Duration { environment.uptime }
    var signed: SignedAddresses { SignedAddresses(signer: configuration.signer, now: environment.now) }

    /// - Parameters:
    ///   - audit: the audit log; nil for none.
    ///   - metrics: the sources of `/metrics` besides the API itself.
    ///   - requestMetrics: counts the requests. The spaces of a gateway share it.
    package init(
        store: any ObjectStore, configuration: APIConfiguration, environment: Environment, logger: Logger,
        audit: (any AuditTrail)? = nil, metrics: [any MetricsSource] = [],
        requestMetrics: RequestMetrics = RequestMetrics(), report: (any ProgramReport)? = nil,
        setup: (any GatewaySetup)? = nil, thumbnails: (any Thumbnails)? = nil
    ) {
        self.store = store
        self.configuration = configuration
        self.environment = environment
        self.logger = logger
        self.metrics = metrics
        self.requestMetrics = requestMetrics
        self.report = report
        self.setup = setup
        self.thumbnails = thumbnails
        self.audit = audit.map { AuditStage(trail: $0) }
        responses = ResponseBuilder(mode: configuration.mode)
        errors = ErrorResponder(
            responses: responses, denials: Denials(configuration, logger: logger, uptime: environment.uptime),
            internalError: configuration.dialect.internalError, logger: logger)
        log = RequestLog(metrics: requestMetrics, logger: logger, uptime: environment.uptime)
        keyCheck = KeyCheck(
            configuration.keys, accessKey: configuration.accessKey, refusals: RefusedMasterKeys(logger: logger))
        originGuard = OriginGuard(
            allowedHosts: configuration.allowedHosts, allowedOrigins: configuration.allowedOrigins)
        threads = BlockingReads(runOnCaller: !environment.hasThreads)
        hasher = PasswordHasher(
            strength: configuration.accounts.passwordStrength,
            threads: environment.hasThreads ? PasswordHasher.threadsStandard : 0)
    }
}
