-- What finding messages again needs: who speaks, the order in which messages came and changed, and for each indexed
-- message its words and its vectors.

ALTER TABLE users ADD COLUMN message_revision BIGINT NOT NULL DEFAULT 0; -- grows with each new or changed message, and when some get their vectors
ALTER TABLE users ADD COLUMN message_epoch BIGINT NOT NULL DEFAULT 0;    -- grows when messages vanish: indexes start anew
ALTER TABLE users ADD COLUMN indexed_revision BIGINT NOT NULL DEFAULT 0; -- messages up to here have entries and vectors

ALTER TABLE messages ADD COLUMN name {text};                             -- who speaks, when the role does not say it
ALTER TABLE messages ADD COLUMN revision BIGINT NOT NULL DEFAULT 0;      -- users.message_revision at the last change
CREATE INDEX messages_revision ON messages (user_id, revision);

-- What an index must know of a message besides its vectors, so that loading one reads no text.
CREATE TABLE message_entries (
    user_id {text} NOT NULL,
    message_id {text} NOT NULL,
    chat_id {text} NOT NULL,
    position BIGINT NOT NULL,
    role {text} NOT NULL,
    name {text},
    session_id {text},
    created_at {text} NOT NULL,
    terms {blob} NOT NULL,              -- the words for BM25, packed by store/postings.py
    asks INTEGER NOT NULL DEFAULT 0,    -- 1: it ends with a question
    message_revision BIGINT NOT NULL,   -- which version of the message it tells of
    revision BIGINT NOT NULL,           -- users.message_revision when it was written
    PRIMARY KEY (user_id, message_id)
) {clustered};
CREATE INDEX message_entries_revision ON message_entries (user_id, revision);

-- Not by model first, as memory_vectors: an edit must find the vectors of one message without reading all of them.
CREATE TABLE message_vectors (
    user_id {text} NOT NULL,
    message_id {text} NOT NULL,
    model {text} NOT NULL,
    part INTEGER NOT NULL,              -- a long message has several
    vector {vector} NOT NULL,
    revision BIGINT NOT NULL,           -- users.message_revision when it was written
    PRIMARY KEY (user_id, message_id, model, part)
) {clustered};
CREATE INDEX message_vectors_revision ON message_vectors (user_id, revision);

-- Messages that are there already: numbered by age, and one job for each user who has some.
UPDATE messages SET revision = numbered.number FROM (
    SELECT user_id, message_id, row_number() OVER (PARTITION BY user_id ORDER BY message_id) AS number FROM messages
) AS numbered
WHERE messages.user_id = numbered.user_id AND messages.message_id = numbered.message_id;
UPDATE users SET message_revision = (SELECT count(*) FROM messages WHERE messages.user_id = users.user_id);
-- Due since the last of them was said: the two databases have no word for the present moment in common.
INSERT INTO jobs (user_id, job_id, kind, lane, subject, payload, status, attempts, run_at, created_at)
SELECT user_id, '0000000000000-index', 'index_messages', 'index', 'messages', '{}', 'pending', 0, max(created_at), max(created_at)
FROM messages GROUP BY user_id;
