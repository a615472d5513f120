-- What conversations need beyond the ground: counters that keep recording independent of a chat's length, segments
-- with positions, revisions of rolling summaries, leases of jobs.

ALTER TABLE users ADD COLUMN message_count BIGINT NOT NULL DEFAULT 0;    -- the user's own messages, in all chats

ALTER TABLE chats ADD COLUMN message_count BIGINT NOT NULL DEFAULT 0;
ALTER TABLE chats ADD COLUMN last_position BIGINT NOT NULL DEFAULT 0;    -- never given twice
ALTER TABLE chats ADD COLUMN revision BIGINT NOT NULL DEFAULT 0;         -- grows with folds, edits and deletions
ALTER TABLE chats ADD COLUMN folded_position BIGINT NOT NULL DEFAULT 0;
ALTER TABLE chats ADD COLUMN refold_position BIGINT NOT NULL DEFAULT 0;  -- folded before an edit took it back
ALTER TABLE chats ADD COLUMN unfolded_messages BIGINT NOT NULL DEFAULT 0;
ALTER TABLE chats ADD COLUMN unfolded_tokens BIGINT NOT NULL DEFAULT 0;
-- A chat without a message was last active when it was made.
CREATE INDEX chats_recent ON chats (user_id, COALESCE(last_message_at, created_at), chat_id);

ALTER TABLE messages ADD COLUMN session_id {text};
-- With the time, which orders a session; without it SQLite would rather read every message of the user.
CREATE INDEX messages_session ON messages (user_id, session_id, created_at);
-- Section 5 of a context: the few important messages among any number.
CREATE INDEX messages_important ON messages (user_id, chat_id, position) WHERE importance_score >= 8;

ALTER TABLE briefs ADD COLUMN written_by {text} NOT NULL DEFAULT '';

ALTER TABLE summaries ADD COLUMN start_position BIGINT NOT NULL DEFAULT 0;
ALTER TABLE summaries ADD COLUMN end_position BIGINT NOT NULL DEFAULT 0;
ALTER TABLE summaries ADD COLUMN covered_tokens BIGINT NOT NULL DEFAULT 0;
DROP INDEX summaries_chat;
-- Two segments cannot begin at one message: settles the race of two folds.
CREATE UNIQUE INDEX summaries_segment ON summaries (user_id, chat_id, start_position);

ALTER TABLE pins ADD COLUMN derived INTEGER NOT NULL DEFAULT 0;
DROP INDEX pins_chat;
-- In the order of a context; on two columns alone SQLite would rather read every pin of the user.
CREATE INDEX pins_chat ON pins (user_id, chat_id, importance_score);
-- What matters beyond its chat: the few important pins of a user, best first.
CREATE INDEX pins_important ON pins (user_id, importance_score DESC, created_at, pin_id) WHERE importance_score >= 8;

-- Not on COALESCE(persona_id, ''): under row-level security PostgreSQL does not look that up in an index.
CREATE INDEX sessions_persona ON sessions (user_id, persona_id, started_at);
ALTER TABLE session_summaries ADD COLUMN written_by {text} NOT NULL DEFAULT '';
ALTER TABLE spines ADD COLUMN written_by {text} NOT NULL DEFAULT '';

CREATE TABLE rolling_summaries (
    user_id {text} NOT NULL,
    persona_id {text} NOT NULL,         -- '' for no persona
    revision BIGINT NOT NULL,
    summary {text} NOT NULL,
    from_message_at {text} NOT NULL,
    until_message_at {text} NOT NULL,
    written_by {text} NOT NULL,
    created_at {text} NOT NULL,
    PRIMARY KEY (user_id, persona_id, revision)
) {clustered};

ALTER TABLE jobs ADD COLUMN lease {text};
-- Holds all that is asked about a lane: otherwise SQLite reads every job of the user instead.
CREATE INDEX jobs_lane ON jobs (user_id, lane, status, job_id, attempts, run_at);

CREATE INDEX idempotency_keys_age ON idempotency_keys (user_id, created_at);

-- The profile of a context: pinned first, then the most important, without reading the rest.
CREATE INDEX memories_standing ON memories (user_id, pinned, importance, memory_id)
    WHERE status = 'ACTIVE' AND valid_to IS NULL;
-- S0's summaries when tokens are short: the three most important.
CREATE INDEX summaries_importance ON summaries (user_id, chat_id, importance_score);
