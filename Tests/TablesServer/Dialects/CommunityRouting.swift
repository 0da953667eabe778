import ParseModel

/// Routes requests as a Community Datasync server does.
struct CommunityRouting {
    let request: TablesRequest
    let now: Int64
    let makeId: @Sendable () -> String

    func answer(_ state: inout TablesSite.State) -> TablesAnswer {
        guard let path = TablePath(request.path), let table = state.visibleTable(path.table),
            path.id == nil || path.decodedId != nil
        else { return TablesAnswer(status: 404) }
        let user = user(state.users)
        if user == nil, table.needsToken || table.ownsRowsByUser { return TablesAnswer(status: 401) }
        if table.isReadOnly, request.isWrite { return TablesAnswer(status: table.refusalStatus) }
        let turn = Turn(request: request, now: now, user: user, makeId: makeId)
        return state.withRows(table.name) { CommunityTable(turn: turn).answer(path.decodedId, in: &$0) }
    }

    /// The user of the token in `Authorization` or `X-ZUMO-AUTH`; nil without a valid token.
    private func user(_ users: Users) -> String? {
        let bearer = request.headers["authorization"].flatMap {
            $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil
        }
        return (bearer ?? request.headers["x-zumo-auth"]).flatMap { users.tokens[$0] }
    }
}
