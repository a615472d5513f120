-- Row-level security for what 0007 added; see 0002.

ALTER TABLE proposals ENABLE ROW LEVEL SECURITY;
ALTER TABLE proposals FORCE ROW LEVEL SECURITY;
CREATE POLICY proposals_of_user ON proposals
    USING (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*')
    WITH CHECK (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*');

ALTER TABLE curator_runs ENABLE ROW LEVEL SECURITY;
ALTER TABLE curator_runs FORCE ROW LEVEL SECURITY;
CREATE POLICY curator_runs_of_user ON curator_runs
    USING (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*')
    WITH CHECK (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*');

ALTER TABLE spending ENABLE ROW LEVEL SECURITY;
ALTER TABLE spending FORCE ROW LEVEL SECURITY;
CREATE POLICY spending_of_user ON spending
    USING (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*')
    WITH CHECK (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*');
