PRAGMA user_version = 35;
BEGIN TRANSACTION;
CREATE TABLE acl_readers (
    entity TEXT NOT NULL,
    acl INTEGER NOT NULL,
    PRIMARY KEY (entity, acl)
) WITHOUT ROWID, STRICT;
INSERT INTO "acl_readers" VALUES('vzX2LQ5X6I',1);
CREATE TABLE acls (number INTEGER PRIMARY KEY AUTOINCREMENT, entries TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO "acls" VALUES(1,'{"read":["vzX2LQ5X6I"],"write":["vzX2LQ5X6I"]}');
INSERT INTO "acls" VALUES(2,'{"read":["*"],"write":[]}');
CREATE TABLE aliases (
    class TEXT NOT NULL,
    alias TEXT NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (class, alias)
) WITHOUT ROWID, STRICT;
CREATE TABLE changes (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    class TEXT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL
, acl_before INTEGER NOT NULL DEFAULT 0, acl_after INTEGER NOT NULL DEFAULT 0, pointers_before TEXT, pointers_after TEXT, rights_change INTEGER, before TEXT) STRICT;
INSERT INTO "changes" VALUES(1,'_User','vzX2LQ5X6I','create',1796003702066,0,1,NULL,NULL,NULL,NULL);
INSERT INTO "changes" VALUES(2,'_Session','pXdZTFD1KF','create',1796003702066,0,0,NULL,'{"user":{"__type":"Pointer","className":"_User","objectId":"vzX2LQ5X6I"}}',NULL,NULL);
INSERT INTO "changes" VALUES(3,'Person','VSpa3UAnng','create',1796003702096,0,0,NULL,NULL,NULL,NULL);
INSERT INTO "changes" VALUES(4,'Holiday','3cOx0uBL9w','create',1796003702102,0,-2,NULL,NULL,NULL,NULL);
INSERT INTO "changes" VALUES(5,'Holiday','aU9XYqKeX2','create',1796003702155,0,0,NULL,NULL,NULL,NULL);
INSERT INTO "changes" VALUES(6,'Holiday','aU9XYqKeX2','delete',1796003702157,0,0,NULL,NULL,NULL,NULL);
CREATE TABLE class_counts (
    class TEXT PRIMARY KEY,
    bases INTEGER NOT NULL,
    views INTEGER NOT NULL
) WITHOUT ROWID, STRICT;
INSERT INTO "class_counts" VALUES('Holiday',0,1);
INSERT INTO "class_counts" VALUES('Person',0,1);
INSERT INTO "class_counts" VALUES('_Session',0,1);
INSERT INTO "class_counts" VALUES('_User',0,1);
CREATE TABLE classes (
    name TEXT PRIMARY KEY, options TEXT NOT NULL DEFAULT '{}', may_have_strays INTEGER NOT NULL DEFAULT 0, stopped_because TEXT) WITHOUT ROWID, STRICT;
INSERT INTO "classes" VALUES('Holiday','{}',0,NULL);
INSERT INTO "classes" VALUES('Person','{}',0,NULL);
INSERT INTO "classes" VALUES('_Session','{}',0,NULL);
INSERT INTO "classes" VALUES('_User','{}',0,NULL);
CREATE TABLE conflicts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    class TEXT NOT NULL,
    object_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    fields TEXT NOT NULL,
    base TEXT,
    local TEXT,
    remote TEXT,
    found_at INTEGER NOT NULL,
    resolution TEXT,
    resolved_at INTEGER
, candidates TEXT, identity INTEGER NOT NULL DEFAULT 1) STRICT;
CREATE TABLE fields (
    class TEXT NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    PRIMARY KEY (class, name)
) WITHOUT ROWID, STRICT;
INSERT INTO "fields" VALUES('Holiday','area','{"type":"Polygon"}');
INSERT INTO "fields" VALUES('Holiday','count','{"type":"Number"}');
INSERT INTO "fields" VALUES('Holiday','date','{"type":"Date"}');
INSERT INTO "fields" VALUES('Holiday','guests','{"type":"Relation","targetClass":"Person"}');
INSERT INTO "fields" VALUES('Holiday','host','{"type":"Pointer","targetClass":"Person"}');
INSERT INTO "fields" VALUES('Holiday','more','{"type":"Object"}');
INSERT INTO "fields" VALUES('Holiday','name','{"type":"String"}');
INSERT INTO "fields" VALUES('Holiday','open','{"type":"Boolean"}');
INSERT INTO "fields" VALUES('Holiday','place','{"type":"GeoPoint"}');
INSERT INTO "fields" VALUES('Holiday','raw','{"type":"Bytes"}');
INSERT INTO "fields" VALUES('Holiday','share','{"type":"Number"}');
INSERT INTO "fields" VALUES('Holiday','tags','{"type":"Array"}');
INSERT INTO "fields" VALUES('Person','name','{"type":"String"}');
CREATE TABLE file_aliases (alias TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID, STRICT;
CREATE TABLE files (
    name TEXT PRIMARY KEY,
    remote_url TEXT,
    sha256 TEXT,
    size INTEGER,
    content_type TEXT,
    made_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    is_wanted INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_at INTEGER,
    error TEXT
, author INTEGER, details TEXT) WITHOUT ROWID, STRICT;
INSERT INTO "files" VALUES('d2e2c615041f5ca128e7ae332f4fcb56_note.txt',NULL,'404cdd7bc109c432f8cc2443b45bcfe95980f5107215c645236e577929ac3e52',4,'text/plain; charset=utf-8',1796003702141,1796003702141,0,0,NULL,NULL,1,NULL);
CREATE TABLE identities (key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO "identities" VALUES(1,'gateway');
CREATE TABLE known_sessions (
    digest TEXT PRIMARY KEY,
    user TEXT NOT NULL REFERENCES known_users (id),
    expires_at INTEGER,
    confirmed_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    changed_at INTEGER NOT NULL,
    token TEXT NOT NULL
, origin TEXT NOT NULL DEFAULT 'remote') WITHOUT ROWID, STRICT;
CREATE TABLE known_users (id TEXT PRIMARY KEY, fields TEXT NOT NULL, used_at INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID, STRICT;
CREATE TABLE live_classes (
    class TEXT PRIMARY KEY,
    since INTEGER NOT NULL,
    until INTEGER NOT NULL
) WITHOUT ROWID, STRICT;
CREATE TABLE live_positions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    installation TEXT NOT NULL,
    request_id TEXT NOT NULL,
    query TEXT NOT NULL,
    number INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    holder INTEGER
) STRICT;
CREATE TABLE lost_objects (
    class TEXT NOT NULL,
    id TEXT NOT NULL,
    reason TEXT NOT NULL,
    ancestor TEXT,
    latest TEXT,
    PRIMARY KEY (class, id)
) WITHOUT ROWID, STRICT;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID, STRICT;
INSERT INTO "meta" VALUES('begun_at','1796003700029');
INSERT INTO "meta" VALUES('file','2834675');
INSERT INTO "meta" VALUES('mode','standalone');
INSERT INTO "meta" VALUES('path','/home/ada/.local/share/tidegate');
INSERT INTO "meta" VALUES('replica_id','rhuVcazJORY4xraUgV9L');
CREATE TABLE objects (
    pk INTEGER PRIMARY KEY,
    class TEXT NOT NULL,
    id TEXT NOT NULL,
    view TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    base_kind INTEGER NOT NULL,
    base TEXT,
    base_standing INTEGER NOT NULL DEFAULT 0,
    state INTEGER NOT NULL DEFAULT 0, version TEXT, is_ours INTEGER NOT NULL DEFAULT 0, own_marks TEXT, provisional_as INTEGER NOT NULL DEFAULT 0, acl INTEGER NOT NULL DEFAULT 0, withheld INTEGER NOT NULL DEFAULT 0, content_mark INTEGER,
    UNIQUE (class, id)
) STRICT;
INSERT INTO "objects" VALUES(1,'_User','vzX2LQ5X6I','{"objectId":"vzX2LQ5X6I","createdAt":"2026-11-30T01:55:02.066Z","updatedAt":"2026-11-30T01:55:02.066Z","username":"ada","email":"ada@example.org","ACL":{"vzX2LQ5X6I":{"read":true,"write":true}}}',1796003702066,1796003702066,0,NULL,0,0,NULL,0,NULL,0,1,0,117702898618597377);
INSERT INTO "objects" VALUES(2,'_Session','pXdZTFD1KF','{"objectId":"pXdZTFD1KF","createdAt":"2026-11-30T01:55:02.066Z","updatedAt":"2026-11-30T01:55:02.066Z","user":{"__type":"Pointer","className":"_User","objectId":"vzX2LQ5X6I"},"createdWith":{"action":"signup","authProvider":"password"},"expiresAt":{"__type":"Date","iso":"2027-11-30T01:55:02.065Z"}}',1796003702066,1796003702066,0,NULL,0,0,NULL,0,NULL,0,0,0,117702898618597378);
INSERT INTO "objects" VALUES(3,'Person','VSpa3UAnng','{"objectId":"VSpa3UAnng","createdAt":"2026-11-30T01:55:02.096Z","updatedAt":"2026-11-30T01:55:02.096Z","name":"Ada"}',1796003702096,1796003702096,0,NULL,0,0,NULL,0,NULL,0,0,0,117702898620563459);
INSERT INTO "objects" VALUES(4,'Holiday','3cOx0uBL9w','{"objectId":"3cOx0uBL9w","createdAt":"2026-11-30T01:55:02.102Z","updatedAt":"2026-11-30T01:55:02.102Z","name":"Picnic day","date":{"__type":"Date","iso":"2027-07-16T00:00:00.000Z"},"count":3,"share":0.25,"open":true,"tags":["a","b"],"more":{"k":[1,{"x":"y"}]},"place":{"__type":"GeoPoint","latitude":52.5,"longitude":13.4},"area":{"__type":"Polygon","coordinates":[[0,0],[0,1],[1,1],[0,0]]},"raw":{"__type":"Bytes","base64":"AQID"},"host":{"__type":"Pointer","className":"Person","objectId":"VSpa3UAnng"},"guests":{"__type":"Relation","className":"Person"},"ACL":{"*":{"read":true}}}',1796003702102,1796003702102,0,NULL,0,0,NULL,0,NULL,0,-2,0,117702898620956676);
CREATE TABLE outbox (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    class TEXT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    operations TEXT NOT NULL,
    phase TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    edited_at INTEGER NOT NULL,
    was_attempted INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    attempted_at INTEGER,
    request_id TEXT NOT NULL,
    code INTEGER,
    error TEXT
, is_rest INTEGER NOT NULL DEFAULT 0, marked_in TEXT, may_be_taken INTEGER NOT NULL DEFAULT 0, identity INTEGER NOT NULL DEFAULT 1) STRICT;
CREATE TABLE outbox_files (
    seq INTEGER NOT NULL REFERENCES outbox (seq) ON DELETE CASCADE,
    name TEXT NOT NULL,
    PRIMARY KEY (seq, name)
) WITHOUT ROWID, STRICT;
CREATE TABLE outbox_pointers (
    seq INTEGER NOT NULL REFERENCES outbox (seq) ON DELETE CASCADE,
    class TEXT NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (seq, class, id)
) WITHOUT ROWID, STRICT;
CREATE TABLE "pull_members" (
    class TEXT NOT NULL,
    identity INTEGER NOT NULL,
    pull TEXT NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (class, identity, pull, id)
) WITHOUT ROWID, STRICT;
CREATE TABLE "pulls" (
    class TEXT NOT NULL REFERENCES classes (name) ON DELETE CASCADE,
    identity INTEGER NOT NULL,
    name TEXT NOT NULL,
    conditions TEXT NOT NULL,
    keys TEXT,
    cursor TEXT,
    complete_since INTEGER,
    began INTEGER,
    audited_at INTEGER,
    refusal TEXT,
    recently_audited_at INTEGER, deletions_since TEXT,
    PRIMARY KEY (class, identity, name)
) WITHOUT ROWID, STRICT;
CREATE TABLE relation_members (
    class TEXT NOT NULL,
    id TEXT NOT NULL,
    field TEXT NOT NULL,
    member_class TEXT NOT NULL,
    member_id TEXT NOT NULL,
    in_base INTEGER NOT NULL,
    in_view INTEGER NOT NULL,
    PRIMARY KEY (class, id, field, member_class, member_id)
) WITHOUT ROWID, STRICT;
INSERT INTO "relation_members" VALUES('Holiday','3cOx0uBL9w','guests','Person','VSpa3UAnng',1,1);
CREATE TABLE "relation_pulls" (
    class TEXT NOT NULL,
    id TEXT NOT NULL,
    field TEXT NOT NULL,
    identity INTEGER NOT NULL,
    member_class TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    pulled_at INTEGER,
    PRIMARY KEY (class, id, field, identity)
) WITHOUT ROWID, STRICT;
CREATE TABLE "removals" (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    class TEXT NOT NULL,
    reason TEXT NOT NULL,
    object_ids TEXT NOT NULL,
    total INTEGER NOT NULL,
    found_at INTEGER NOT NULL,
    UNIQUE (class, reason)
) STRICT;
CREATE TABLE request_ids (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE TABLE rights_changes (
    number INTEGER PRIMARY KEY,
    class TEXT,
    permissions TEXT,
    roles TEXT,
    ends_positions INTEGER NOT NULL,
    last INTEGER NOT NULL
) STRICT;
CREATE TABLE schemas (
    class TEXT PRIMARY KEY,
    permissions TEXT,
    indexes TEXT NOT NULL
) WITHOUT ROWID, STRICT;
CREATE TABLE session_tokens (
    digest TEXT PRIMARY KEY,
    session TEXT NOT NULL UNIQUE,
    user TEXT NOT NULL,
    installation TEXT,
    expires_at INTEGER
) WITHOUT ROWID, STRICT;
INSERT INTO "session_tokens" VALUES('19b9226669da1b43616d73c59f68c329ae37ad3584d531bcb7a9361843acde35','pXdZTFD1KF','vzX2LQ5X6I',NULL,1827539702065);
CREATE TABLE "skipped_rows" (
    class TEXT NOT NULL,
    identity INTEGER NOT NULL,
    pull TEXT NOT NULL,
    id TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (class, identity, pull, id)
) WITHOUT ROWID, STRICT;
CREATE TABLE "unanswered" (
    class TEXT NOT NULL,
    id TEXT NOT NULL,
    identity INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    PRIMARY KEY (class, id, identity)
) WITHOUT ROWID, STRICT;
CREATE TABLE "unseen_writes" (
    class TEXT NOT NULL,
    id TEXT NOT NULL,
    identity INTEGER NOT NULL,
    since INTEGER NOT NULL,
    looks INTEGER NOT NULL,
    PRIMARY KEY (class, id, identity)
) WITHOUT ROWID, STRICT;
CREATE TABLE unsent_log_outs (
    digest TEXT PRIMARY KEY,
    user TEXT,
    since INTEGER NOT NULL,
    token TEXT NOT NULL
) WITHOUT ROWID, STRICT;
CREATE TABLE user_keys (
    user TEXT PRIMARY KEY,
    username TEXT,
    email TEXT,
    anonymous TEXT
) WITHOUT ROWID, STRICT;
INSERT INTO "user_keys" VALUES('vzX2LQ5X6I','ada','ada@example.org',NULL);
CREATE TABLE user_secrets (
    user TEXT PRIMARY KEY,
    hash TEXT NOT NULL,
    changed_at INTEGER,
    history TEXT NOT NULL DEFAULT '[]',
    failures INTEGER NOT NULL DEFAULT 0,
    locked_until INTEGER
) WITHOUT ROWID, STRICT;
INSERT INTO "user_secrets" VALUES('vzX2LQ5X6I','$argon2id$v=19$m=19456,t=2,p=1$sRUOHOWskZMBydsSJcn4Qw$Bco0dwIHaX82Kko8bcLT/0heqSh/L1zJgSI4Gh9/7+8',1796003702066,'[]',0,NULL);
CREATE TABLE verifiers (
    user TEXT PRIMARY KEY REFERENCES known_users (id),
    hash TEXT NOT NULL,
    proven_at INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    locks INTEGER NOT NULL,
    locked_until INTEGER
) WITHOUT ROWID, STRICT;
CREATE INDEX outbox_by_object ON outbox (class, id, seq);
CREATE INDEX outbox_pointers_by_target ON outbox_pointers (class, id);
CREATE INDEX conflicts_by_object ON conflicts (class, object_id);
CREATE INDEX objects_provisional ON objects (class) WHERE base_standing;
CREATE INDEX relation_members_by_member ON relation_members (member_class, member_id, class, field);
CREATE INDEX relation_members_pending ON relation_members (class, id) WHERE in_base <> in_view;
CREATE INDEX conflicts_open ON conflicts (class) WHERE resolution IS NULL;
CREATE INDEX files_by_content ON files (sha256) WHERE sha256 IS NOT NULL;
CREATE INDEX files_wanted ON files (next_at) WHERE is_wanted AND sha256 IS NULL;
CREATE INDEX file_aliases_by_name ON file_aliases (name);
CREATE INDEX outbox_files_by_name ON outbox_files (name);
CREATE INDEX aliases_by_id ON aliases (class, id);
CREATE INDEX conflicts_in_question ON conflicts (class, object_id)
    WHERE kind = 'ambiguousCreate' AND resolution IS NULL;
CREATE INDEX request_ids_by_expiry ON request_ids (expires_at);
CREATE INDEX outbox_by_phase ON outbox (identity, phase, seq);
CREATE INDEX pull_members_by_object ON pull_members (class, id);
CREATE INDEX session_tokens_by_user ON session_tokens (user, installation);
CREATE INDEX session_tokens_by_end ON session_tokens (expires_at);
CREATE INDEX user_keys_by_username ON user_keys (username) WHERE username IS NOT NULL;
CREATE INDEX user_keys_by_email ON user_keys (email) WHERE email IS NOT NULL;
CREATE INDEX user_keys_by_anonymous ON user_keys (anonymous) WHERE anonymous IS NOT NULL;
CREATE TRIGGER session_ends AFTER DELETE ON objects WHEN OLD.class = '_Session' BEGIN
    DELETE FROM session_tokens WHERE session = OLD.id;
END;
CREATE TRIGGER user_leaves AFTER DELETE ON objects WHEN OLD.class = '_User' BEGIN
    DELETE FROM user_secrets WHERE user = OLD.id;
    DELETE FROM user_keys WHERE user = OLD.id;
    DELETE FROM session_tokens WHERE user = OLD.id;
END;
CREATE INDEX roles_by_name ON objects (CASE WHEN json_valid(view) THEN json_extract(view, '$.name') END) WHERE class = '_Role' AND view IS NOT NULL;
CREATE INDEX installations_by_id ON objects (CASE WHEN json_valid(view) THEN json_extract(view, '$.installationId') END)
WHERE class = '_Installation' AND view IS NOT NULL;
CREATE INDEX installations_by_token ON objects (CASE WHEN json_valid(view) THEN json_extract(view, '$.deviceToken') END)
WHERE class = '_Installation' AND view IS NOT NULL;
CREATE INDEX acl_readers_by_acl ON acl_readers (acl, entity);
CREATE INDEX objects_by_update ON objects (class, updated_at, id, acl);
CREATE INDEX objects_by_creation ON objects (class, created_at, id, base_kind, acl);
CREATE INDEX objects_by_acl ON objects (acl) WHERE acl > 0;
CREATE INDEX known_sessions_by_user ON known_sessions (user);
CREATE INDEX files_local ON files (name) WHERE remote_url IS NULL AND sha256 IS NOT NULL;
CREATE INDEX objects_withheld ON objects (class, id) WHERE withheld;
CREATE INDEX changes_before ON changes (class, id, number) WHERE before IS NOT NULL;
CREATE INDEX live_positions_by_key ON live_positions (installation, request_id, query);
CREATE INDEX live_positions_by_end ON live_positions (expires_at);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('removals',0);
INSERT INTO "sqlite_sequence" VALUES('acls',2);
INSERT INTO "sqlite_sequence" VALUES('changes',6);
COMMIT;
