import Simulation

/// For each deliberate bug that seed 101 does not detect, a later seed that has detected it.
///
/// `--rates --enough` runs this seed first, because most seeds do not detect a rare bug. If a change of the simulation makes a seed
/// useless, the check only takes longer: the other seeds follow.
enum LikelySeeds {
    static func seed(of sabotage: Sabotage) -> UInt64? { seeds[sabotage] }

    private static let seeds: [Sabotage: UInt64] = [
        .backupBelieved: 104,
        .circuitKept: 103,
        .columnsDropped: 102,
        .conditionsDropped: 103,
        .cursorBeforeRows: 115,
        .cutBelieved: 103,
        .deletesBlindly: 103,
        .deletionPolicyReversed: 103,
        .deletionsForgotten: 141,
        .emptyListsBelieved: 103,
        .equalTaken: 109,
        .failureIsEmpty: 118,
        .fieldsUnwatched: 103,
        .filesDroppedAfterRestore: 104,
        .followsAtOnce: 114,
        .formsUnnamed: 106,
        .heldShown: 103,
        .includesUnfiltered: 110,
        .lockOutIgnored: 110,
        .logOutReadsOn: 104,
        .lossesUnfed: 102,
        .noOverlap: 116,
        .noRecentAudit: 107,
        .oneRefusalPausesAll: 102,
        .overwritesAfterLoss: 103,
        .overwritesBlindly: 105,
        .overwritesDuringLag: 106,
        .partsOverwritten: 138,
        .pointersOutdated: 107,
        .portalBelieved: 160,
        .questionsSkipped: 104,
        .rateLimitFinal: 102,
        .recreateResent: 115,
        .recreatedWithoutLog: 111,
        .refusalDropped: 102,
        .refusedClassShown: 109,
        .refusedPasswordKept: 106,
        .restoredResent: 104,
        .retriesGivenUp: 102,
        .rolesUnwatched: 153,
        .scrubLeftOut: 103,
        .sessionEndRefusesFile: 124,
        .spaceOfAnother: 102,
        .tombstonesBare: 102,
        .undeletedBare: 102,
        .unknownRoleHeld: 104,
        .unshownDropped: 106,
        .versionsAssumed: 103,
        .versionsForgotten: 103,
    ]
}
