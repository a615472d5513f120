-- Row-level security for what 0005 added; see 0002.

ALTER TABLE message_entries ENABLE ROW LEVEL SECURITY;
ALTER TABLE message_entries FORCE ROW LEVEL SECURITY;
CREATE POLICY message_entries_of_user ON message_entries
    USING (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*')
    WITH CHECK (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*');

ALTER TABLE message_vectors ENABLE ROW LEVEL SECURITY;
ALTER TABLE message_vectors FORCE ROW LEVEL SECURITY;
CREATE POLICY message_vectors_of_user ON message_vectors
    USING (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*')
    WITH CHECK (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*');
