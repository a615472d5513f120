-- Row-level security for what 0009 added; see 0002.

ALTER TABLE tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE tokens FORCE ROW LEVEL SECURITY;
CREATE POLICY tokens_of_user ON tokens
    USING (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*')
    WITH CHECK (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*');
