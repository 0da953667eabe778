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

    /// Log-in is where a session begins: a Parse Server does not look at a token there. In a batch it is looked at with
    /// each item.
    var overlooksSession: Bool { self == .logIn || self == .logInByQuery || self == .batch }
}
