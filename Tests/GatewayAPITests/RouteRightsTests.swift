import Foundation
import GatewayAPI
import ParseModel
import Testing

/// Lists the right that each route demands. A new route fails this test until it is listed.
@Suite struct RouteRightsTests {
    private static let rights: [RoutePolicy.Right: String] = [
        .everybody: "getFile getFileMetadata getHealth getReadiness page pageFile apiDocs",
        .clients: """
        callFunction trackEvent validatePurchase requestPasswordReset requestVerificationEmail logIn logInByQuery logInAs \
        verifyPassword verifyPasswordByQuery logOut upgradeSession getCurrentUser getCurrentSession updateCurrentSession \
        endCurrentSession getConfig uploadFile deleteFile startSync getSyncStatus listPending getPending undoPending \
        listRejections retryRejection giveUpRejection listConflicts resolveConflict decideMany listRemovals \
        listSyncedClasses getSyncedClass listChanges openOwnerSession getOwnerSession endOwnerSession getServerInfo getOpenAPI getOpenAPIAsJSON \
        getPrincipal batch importObjects
        """,
        .permissions: """
        listObjects createObject getObject updateObject deleteObject aggregate listUsers signUp getUser \
        updateUser deleteUser listInstallations createInstallation getInstallation updateInstallation \
        deleteInstallation listRoles createRole getRole updateRole deleteRole listSessions createSession getSession \
        updateSession deleteSession exportClass importClass
        """,
        .masterKeyOnceThereAreUsers:
            "getMetrics listSettings listLogLines listRequests listIndexes getChecks getSetup checkRemote connectToRemote loadSamples",
        .masterKeyInReplicaWithUsers: """
        pauseSync resumeSync confirmRemoval keepRemoval registerClass unregisterClass purgeObjects listRemoteClasses
        """,
        .masterKey: """
        startJob startJobByName listJobSchedules createJobSchedule getJobNames updateJobSchedule deleteJobSchedule \
        sendPush listFunctionHooks createFunctionHook getFunctionHook updateFunctionHook listTriggerHooks \
        createTriggerHook getTriggerHook updateTriggerHook listAudiences createAudience getAudience updateAudience \
        deleteAudience updateConfig listSchemas createSchema getSchema createNamedSchema updateSchema deleteSchema \
        purgeClass exportObjects importFile exportUser forgetUser listUsersOfReplica
        """,
    ]
    private let gateway = Gateway.make { $0.keys = .init(masterKey: "master") }

    @Test func everyRouteRequiresItsListedRight() {
        var listed: [String: RoutePolicy.Right] = [:]
        for (right, names) in Self.rights { for name in names.split(separator: " ") { listed[String(name)] = right } }
        for route in gateway.api.table.routes {
            #expect(listed.removeValue(forKey: route.name) == route.policy.right, "\(route.name)")
        }
        #expect(listed.isEmpty)
    }

    /// The list "Rights of routes" in `docs/security.md` must name each route whose path begins with one of
    /// `families`.
    @Test func securityDocsListTheGatewaysOwnRoutes() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/security.md")
        // In the list, a long item continues on a line that begins with two spaces and a code mark.
        let page = try String(contentsOf: file, encoding: .utf8).replacing("\n  `", with: " `")
        let items = page.split(separator: "\n").filter { $0.hasPrefix("- `") }
        var documented = Set(
            items.flatMap { $0.split(separator: "`").map(String.init).filter { $0.contains(" /") } })
        let families = [
            "/sync", "/changes", "/metrics", "/schemas", "/purge", "/system", "/setup", "/export", "/import",
        ]
        for route in gateway.api.table.routes where families.contains(where: route.pattern.hasPrefix) {
            #expect(documented.remove("\(route.method.rawValue) \(route.pattern)") != nil, "\(route.name)")
        }
        #expect(documented.isEmpty)
    }

    @Test func principalOfARequestFollowsFromItsKeyOrSession() async {
        func expectPrincipal(_ kind: String, of gateway: Gateway, _ headers: [String: String]) async {
            let userId = kind == "user" ? #""ada""# : "null"
            let text = #"{"kind":"\#(kind)","userId":\#(userId),"roles":[]}"#
            expect(await gateway.send("GET /principal", headers), 200, text)
        }
        let (master, session) = ("X-Parse-Master-Key", "X-Parse-Session-Token")
        func keys(_ configuration: inout APIConfiguration) {
            configuration.keys = .init(masterKey: "master")
            configuration.keys.readOnlyMasterKey = "reader"
        }
        let site = Gateway.make(users: .site(NamedUsers()), keys)
        await expectPrincipal("public", of: site, [:])
        await expectPrincipal("user", of: site, [session: "ada"])
        await expectPrincipal("readOnlyMasterKey", of: site, [master: "reader"])
        // The master key takes precedence over a session.
        await expectPrincipal("masterKey", of: site, [master: "master", session: "ada"])

        let personal = Gateway.make(users: .spaces(FakeSpaces()))
        await expectPrincipal("user", of: personal, [session: FakeSpaces.token])
        #expect(await personal.send("GET /principal", [session: "r:other"]).text.contains("209"))
        // A replica without users does not check sessions. The remote does.
        await expectPrincipal("public", of: Gateway.make(sync: FakeSync()), [session: "r:any"])
        #expect(await Gateway.make { $0.accessKey = "key" }.send("GET /principal").status == 403)

        let editor = Principal.user(SignedInUser(objectId: "ada", roles: ["editors", "all"], sessionId: "s"))
        #expect(editor.json == ["kind": "user", "userId": "ada", "roles": ["all", "editors"]])
    }

    @Test func metricsNeedTheMasterKeyOnceUsersExist() async {
        #expect(await gateway.send("GET /metrics").status == 200)
        #expect(await gateway.send("POST /users", body: #"{"username":"ada"}"#).status == 201)
        expect(await gateway.send("GET /metrics"), 403, #"{"error":"unauthorized: master key is required"}"#)
        #expect(await gateway.send("GET /metrics", ["X-Parse-Master-Key": "master"]).status == 200)
        #expect(await gateway.send("GET /metrics", ["Authorization": "Bearer master"]).status == 200)
        #expect(await gateway.send("GET /metrics", ["Authorization": "Bearer other"]).status == 403)
    }

    /// Users in a replica belong to the remote. Objects of `_User` do not make its metrics demand the master key.
    @Test func metricsOfAReplicaNeedNoMasterKey() async {
        let gateway = Gateway.make(store: MemoryStore("_User", ids: ["here"]), sync: FakeSync())
        #expect(await gateway.send("GET /metrics").status == 200)
    }

    @Test func syncStatusShowsOnlyClassesThatTheCallerMayList() async {
        #expect(
            await gateway.send("POST /installations", body: #"{"installationId":"i","deviceType":"ios"}"#).status == 201
        )
        #expect(await gateway.send("POST /classes/Holiday", body: "{}").status == 201)
        let all = await gateway.send("GET /sync", ["X-Parse-Master-Key": "master"])
        #expect(all.text.contains("_Installation") && all.text.contains("Holiday"))
        let some = await gateway.send("GET /sync")
        #expect(!some.text.contains("_Installation") && some.text.contains("Holiday"))
    }
}
