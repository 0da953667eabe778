extension Endpoint {
    /// Whether only the remote can answer it: in a replica it goes there, and is never queued.
    var isForwarded: Bool {
        switch self {
        case .callFunction, .startJob, .startJobByName, .listJobSchedules, .getJobNames, .createJobSchedule,
            .updateJobSchedule, .deleteJobSchedule, .sendPush, .listFunctionHooks, .getFunctionHook,
            .createFunctionHook, .updateFunctionHook, .listTriggerHooks, .getTriggerHook, .createTriggerHook,
            .updateTriggerHook, .requestPasswordReset, .requestVerificationEmail, .logIn, .logInByQuery, .logInAs,
            .verifyPassword, .verifyPasswordByQuery, .logOut, .upgradeSession, .signUp, .trackEvent, .validatePurchase,
            .getConfig, .updateConfig, .listSchemas, .createSchema, .getSchema, .createNamedSchema, .updateSchema,
            .deleteSchema, .purgeClass, .getCurrentUser, .getCurrentSession, .updateCurrentSession:
            true
        default: false
        }
    }

    /// Whether a call may depend on earlier writes, which then have to be on the remote first. Log-in and
    /// log-out, mails and most reads do not.
    func waitsForQueuedWrites(isRead: Bool) -> Bool {
        switch self {
        case .logIn, .logInByQuery, .logInAs, .logOut, .verifyPassword, .verifyPasswordByQuery, .upgradeSession,
            .requestPasswordReset, .requestVerificationEmail, .getServerInfo:
            false
        case .aggregate: true
        default: !isRead
        }
    }

    /// Whether the remote has no objects of the class any more once it has carried out the call.
    var emptiesClass: Bool { self == .purgeClass || self == .deleteSchema }

    /// Whether it changes the remote's schema.
    var changesSchema: Bool {
        [.createSchema, .createNamedSchema, .updateSchema, .deleteSchema].contains(self)
    }

    /// Log-in is where a session begins: a Parse Server does not look at a token there. In a batch it is looked at with
    /// each item.
    var overlooksSession: Bool { self == .logIn || self == .logInByQuery || self == .batch }
}
