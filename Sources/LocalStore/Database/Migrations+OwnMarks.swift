extension Migrations {
    /// Moves this replica's operation ids from the `opField` of objects to the column `own_marks`, and removes the field.
    static let ownMarks = """
        ALTER TABLE objects ADD COLUMN own_marks TEXT;

        UPDATE objects AS o SET
            own_marks = (
                SELECT nullif(json_group_array(m.value), '[]') FROM json_each(coalesce(o.base, o.view), c.path) m
                WHERE m.type = 'text'
                    AND m.value LIKE (SELECT value FROM meta WHERE key = 'replica_id') || ':%'),
            view = json_remove(o.view, c.path), base = json_remove(o.base, c.path)
        FROM (SELECT name, '$."' || json_extract(options, '$.opField') || '"' AS path FROM classes
            WHERE json_extract(options, '$.opField') IS NOT NULL) c
        WHERE c.name = o.class AND (json_type(o.view, c.path) IS NOT NULL OR json_type(o.base, c.path) IS NOT NULL);
        """
}
