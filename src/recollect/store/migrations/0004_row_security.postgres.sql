-- Row-level security for what 0003 added; see 0002.

ALTER TABLE rolling_summaries ENABLE ROW LEVEL SECURITY;
ALTER TABLE rolling_summaries FORCE ROW LEVEL SECURITY;
CREATE POLICY rolling_summaries_of_user ON rolling_summaries
    USING (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*')
    WITH CHECK (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*');
