-- What the judge and the curator need: how far each chat was judged, what waits for a decision, what was done to
-- the memories and can be taken back, and what models have cost.

ALTER TABLE chats ADD COLUMN judged_position BIGINT NOT NULL DEFAULT 0;  -- the judge has read the messages up to here
-- What was said before there was a judge is read only when somebody asks for it.
UPDATE chats SET judged_position = last_position;

ALTER TABLE users ADD COLUMN curated_revision BIGINT NOT NULL DEFAULT 0; -- users.revision when the curator last ended
ALTER TABLE users ADD COLUMN curated_at {text};                          -- and when that was

-- What somebody should decide: nothing of it happens by itself.
CREATE TABLE proposals (
    user_id {text} NOT NULL,
    proposal_id {text} NOT NULL,
    kind {text} NOT NULL,
    subject {text} NOT NULL,            -- what makes it unique: two proposals of one kind and subject are one
    memory_ids {text} NOT NULL,         -- a JSON list
    entity_keys {text} NOT NULL,        -- a JSON list
    reason {text} NOT NULL,             -- for people: why it is proposed, with the evidence
    confidence DOUBLE PRECISION NOT NULL,
    source_message_ids {text} NOT NULL, -- a JSON list
    status {text} NOT NULL,
    decided_by {text},
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    PRIMARY KEY (user_id, proposal_id)
) {clustered};
CREATE UNIQUE INDEX proposals_subject ON proposals (user_id, kind, subject);
CREATE INDEX proposals_open ON proposals (user_id, status, created_at);

-- What the curator did, so that it can be read and taken back.
CREATE TABLE curator_runs (
    user_id {text} NOT NULL,
    run_id {text} NOT NULL,
    steps {text} NOT NULL,              -- a JSON list
    looked_at BIGINT NOT NULL,
    started_at {text} NOT NULL,
    ended_at {text} NOT NULL,
    undone_at {text},
    PRIMARY KEY (user_id, run_id)
) {clustered};

-- What a deployment spends on models, day by day; the user is '' because the cap is everybody's.
CREATE TABLE spending (
    user_id {text} NOT NULL,
    day {text} NOT NULL,
    purpose {text} NOT NULL,
    model {text} NOT NULL,
    calls BIGINT NOT NULL,
    failures BIGINT NOT NULL,
    prompt_tokens BIGINT NOT NULL,
    completion_tokens BIGINT NOT NULL,
    PRIMARY KEY (user_id, day, purpose, model)
) {clustered};
