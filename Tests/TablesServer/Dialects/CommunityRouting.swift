import ParseModel

/// Routes requests as a Community Datasync server does.
struct CommunityRouting {
    let request: TablesRequest
    let now: Int64

    func decision(_ tables: inout Tables) -> TableDecision {
        guard let path = TablePath(request.path), let table = tables.visibleTable(path.table),
            path.id == nil || path.decodedId != nil
        else { return .answer(TablesAnswer(status: 404)) }
        let user = user(tables.users)
        if user == nil, table.needsToken || table.ownsRowsByUser { return .answer(TablesAnswer(status: 401)) }
        if table.isReadOnly, request.isWrite { return .answer(TablesAnswer(status: table.refusalStatus)) }
        let turn = Turn(request: request, now: now, user: user, makeId: tables.makeId)
        return CommunityTable(turn: turn).decision(path.decodedId, in: &tables[table.name])
    }

    /// The user of the token in `Authorization` or `X-ZUMO-AUTH`; nil without a valid token.
    private func user(_ users: Users) -> String? {
        let bearer = request.headers["authorization"].flatMap {
            $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil
        }
        return (bearer ?? request.headers["x-zumo-auth"]).flatMap { users.tokens[$0] }
    }
}
