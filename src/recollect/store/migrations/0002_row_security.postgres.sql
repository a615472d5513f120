-- Row-level security: PostgreSQL itself keeps users apart, whatever a statement says (design 1.6).
-- A transaction names its user with SET LOCAL recollect.user_id; '*' is the scope of work over everyone. Without a
-- name nothing is visible. FORCE binds the owner of the tables too; only superusers and BYPASSRLS roles pass by it.

ALTER TABLE users ENABLE ROW LEVEL SECURITY;
ALTER TABLE users FORCE ROW LEVEL SECURITY;
CREATE POLICY users_of_user ON users
    USING (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*')
    WITH CHECK (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*');

ALTER TABLE memories ENABLE ROW LEVEL SECURITY;
ALTER TABLE memories FORCE ROW LEVEL SECURITY;
CREATE POLICY memories_of_user ON memories
    USING (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*')
    WITH CHECK (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*');

ALTER TABLE memory_vectors ENABLE ROW LEVEL SECURITY;
ALTER TABLE memory_vectors FORCE ROW LEVEL SECURITY;
CREATE POLICY memory_vectors_of_user ON memory_vectors
    USING (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*')
    WITH CHECK (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*');

ALTER TABLE memory_history ENABLE ROW LEVEL SECURITY;
ALTER TABLE memory_history FORCE ROW LEVEL SECURITY;
CREATE POLICY memory_history_of_user ON memory_history
    USING (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*')
    WITH CHECK (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*');

ALTER TABLE memory_links ENABLE ROW LEVEL SECURITY;
ALTER TABLE memory_links FORCE ROW LEVEL SECURITY;
CREATE POLICY memory_links_of_user ON memory_links
    USING (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*')
    WITH CHECK (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*');

ALTER TABLE entities ENABLE ROW LEVEL SECURITY;
ALTER TABLE entities FORCE ROW LEVEL SECURITY;
CREATE POLICY entities_of_user ON entities
    USING (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*')
    WITH CHECK (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*');

ALTER TABLE memory_entities ENABLE ROW LEVEL SECURITY;
ALTER TABLE memory_entities FORCE ROW LEVEL SECURITY;
CREATE POLICY memory_entities_of_user ON memory_entities
    USING (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*')
    WITH CHECK (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*');

ALTER TABLE entity_aliases ENABLE ROW LEVEL SECURITY;
ALTER TABLE entity_aliases FORCE ROW LEVEL SECURITY;
CREATE POLICY entity_aliases_of_user ON entity_aliases
    USING (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*')
    WITH CHECK (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*');

ALTER TABLE chats ENABLE ROW LEVEL SECURITY;
ALTER TABLE chats FORCE ROW LEVEL SECURITY;
CREATE POLICY chats_of_user ON chats
    USING (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*')
    WITH CHECK (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*');

ALTER TABLE messages ENABLE ROW LEVEL SECURITY;
ALTER TABLE messages FORCE ROW LEVEL SECURITY;
CREATE POLICY messages_of_user ON messages
    USING (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*')
    WITH CHECK (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*');

ALTER TABLE briefs ENABLE ROW LEVEL SECURITY;
ALTER TABLE briefs FORCE ROW LEVEL SECURITY;
CREATE POLICY briefs_of_user ON briefs
    USING (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*')
    WITH CHECK (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*');

ALTER TABLE summaries ENABLE ROW LEVEL SECURITY;
ALTER TABLE summaries FORCE ROW LEVEL SECURITY;
CREATE POLICY summaries_of_user ON summaries
    USING (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*')
    WITH CHECK (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*');

ALTER TABLE pins ENABLE ROW LEVEL SECURITY;
ALTER TABLE pins FORCE ROW LEVEL SECURITY;
CREATE POLICY pins_of_user ON pins
    USING (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*')
    WITH CHECK (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*');

ALTER TABLE sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE sessions FORCE ROW LEVEL SECURITY;
CREATE POLICY sessions_of_user ON sessions
    USING (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*')
    WITH CHECK (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*');

ALTER TABLE session_summaries ENABLE ROW LEVEL SECURITY;
ALTER TABLE session_summaries FORCE ROW LEVEL SECURITY;
CREATE POLICY session_summaries_of_user ON session_summaries
    USING (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*')
    WITH CHECK (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*');

ALTER TABLE session_states ENABLE ROW LEVEL SECURITY;
ALTER TABLE session_states FORCE ROW LEVEL SECURITY;
CREATE POLICY session_states_of_user ON session_states
    USING (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*')
    WITH CHECK (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*');

ALTER TABLE spines ENABLE ROW LEVEL SECURITY;
ALTER TABLE spines FORCE ROW LEVEL SECURITY;
CREATE POLICY spines_of_user ON spines
    USING (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*')
    WITH CHECK (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*');

ALTER TABLE todos ENABLE ROW LEVEL SECURITY;
ALTER TABLE todos FORCE ROW LEVEL SECURITY;
CREATE POLICY todos_of_user ON todos
    USING (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*')
    WITH CHECK (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*');

ALTER TABLE seeds ENABLE ROW LEVEL SECURITY;
ALTER TABLE seeds FORCE ROW LEVEL SECURITY;
CREATE POLICY seeds_of_user ON seeds
    USING (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*')
    WITH CHECK (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*');

ALTER TABLE jobs ENABLE ROW LEVEL SECURITY;
ALTER TABLE jobs FORCE ROW LEVEL SECURITY;
CREATE POLICY jobs_of_user ON jobs
    USING (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*')
    WITH CHECK (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*');

ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE idempotency_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY idempotency_keys_of_user ON idempotency_keys
    USING (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*')
    WITH CHECK (user_id = current_setting('recollect.user_id', true) OR current_setting('recollect.user_id', true) = '*');
