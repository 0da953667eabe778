import GatewayAPI
import ParseModel
import Testing

/// Tests that queries about data that the replica does not store are forwarded to the remote.
@Suite struct ForwardedQueriesTests {
    private let sync = FakeSync()

    private func answer(owner className: String, via gateway: Gateway) async -> Answer {
        let pointer = #"{"__type":"Pointer","className":"\#(className)","objectId":"a"}"#
        let body = #"{"_method":"GET","where":{"$relatedTo":{"object":\#(pointer),"key":"countries"}},"limit":3}"#
        return await gateway.send("POST /classes/Country", body: body)
    }

    @Test func relationToUnsyncedClassIsQueriedAtTheRemote() async {
        expect(await answer(owner: "Far", via: .make(sync: sync)), 200, #"{"results":[{"objectId":"far"}]}"#)
        #expect(sync.calls.count == 1)
        #expect(sync.calls.first?.hasPrefix(#"ask Country {"where":{"$relatedTo""#) == true)
    }

    /// A site replica reads with the remote's master key, so a forwarded answer is not limited to what the caller may
    /// read.
    @Test func siteReplicaForwardsQueriesForTheMasterKeyOnly() async throws {
        let site = Gateway.make(sync: sync, users: .site(NamedUsers())) { $0.keys = .init(masterKey: "master") }
        let refused = await answer(owner: "Far", via: site)
        #expect(refused.status == 400)
        #expect(try refused.json.object?["code"] == 108)
        #expect(sync.calls.isEmpty)
        let pointer = #"{"__type":"Pointer","className":"Far","objectId":"a"}"#
        let body = #"{"_method":"GET","where":{"$relatedTo":{"object":\#(pointer),"key":"countries"}}}"#
        let asked = await site.send("POST /classes/Country", ["X-Parse-Master-Key": "master"], body: body)
        #expect(asked.status == 200)
        #expect(sync.calls.count == 1)
    }

    @Test func urlParametersOfForwardedQueryAreSentAsJSON() async {
        let query =
            "where=%7B%22$relatedTo%22:%7B%22object%22:%7B%22__type%22:%22Pointer%22,%22className%22:%22Far%22,"
            + "%22objectId%22:%22a%22%7D,%22key%22:%22countries%22%7D%7D&limit=3&order=%5B%22a%22%5D&keys=%22b%22"
        _ = await Gateway.make(sync: sync).send("GET /classes/Country?\(query)")
        #expect(sync.calls.first?.hasSuffix(#""limit":3,"order":["a"],"keys":"b"}"#) == true)
    }

    @Test func relationToSyncedClassIsAnsweredLocally() async {
        expect(await answer(owner: "Holiday", via: .make(sync: sync)), 200, #"{"results":[]}"#)
        #expect(sync.calls.isEmpty)
    }

    @Test func standaloneGatewayAnswersRelationOfUnknownOwnerWithEmptyList() async {
        expect(await answer(owner: "Far", via: .make()), 200, #"{"results":[]}"#)
    }

    @Test(arguments: [
        ("POST /sync?phase=push", 202, "start push"),
        ("POST /sync?phase=pull&audit=true&wait=true", 200, "run pull audit"),
        ("POST /sync?phase=both", 400, nil), ("POST /sync?phase=push&audit=1", 400, nil),
    ])
    func syncParameterPhaseStartsThatPartOfASync(_ line: String, _ status: Int, _ call: String?) async {
        #expect(await Gateway.make(sync: sync).send(line).status == status)
        #expect(sync.calls == [call].compactMap { $0 })
    }

    @Test(arguments: [
        ("DELETE /sync/classes/Film/objects", "purge Film all"),
        (#"DELETE /sync/classes/Film/objects?where=%7B%22n%22:1%7D&force=true"#, "purge Film some by force"),
        ("DELETE /sync/classes/Film?purge=true&force=true", "unregister Film true by force"),
    ])
    func purgeParametersReachTheSyncEngine(_ line: String, _ call: String) async {
        #expect(await Gateway.make(sync: sync).send(line).status == 200)
        #expect(sync.calls == [call])
    }
}
