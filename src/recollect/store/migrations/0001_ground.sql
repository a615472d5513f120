-- Every record of Recollect. One text for both databases; what differs is written as a word in braces and
-- filled in by sqlite.py or postgres.py: {text} {blob} {vector} {clustered}.
-- Every key starts with user_id: that is what row-level security and sharding by user rest on.
-- Times are ISO-8601 UTC text with milliseconds, so that text order is time order. JSON is text.

CREATE TABLE users (
    user_id {text} NOT NULL,
    revision BIGINT NOT NULL,           -- grows with each change of the user's memories
    epoch BIGINT NOT NULL,              -- grows when rows vanish or aliases change: indexes start anew
    embedding_model {text} NOT NULL,    -- which vectors serve this user
    created_at {text} NOT NULL,
    PRIMARY KEY (user_id)
) {clustered};

CREATE TABLE memories (
    user_id {text} NOT NULL,
    memory_id {text} NOT NULL,
    content {text} NOT NULL,
    category {text} NOT NULL,
    type {text} NOT NULL,
    importance DOUBLE PRECISION NOT NULL,
    tags {text} NOT NULL,
    entity_refs {text} NOT NULL,
    entity_label {text},
    entity_type {text},
    fact_type {text},
    memory_key {text},
    pinned INTEGER NOT NULL,
    confidence DOUBLE PRECISION NOT NULL,
    source {text} NOT NULL,
    origin {text} NOT NULL,
    source_context {text},
    reasoning {text},
    source_message_ids {text} NOT NULL,
    persona_id {text},
    status {text} NOT NULL,
    flagged INTEGER NOT NULL,
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    valid_from {text} NOT NULL,
    valid_to {text},
    last_accessed {text},
    access_count BIGINT NOT NULL,
    mention_count BIGINT NOT NULL,
    supersedes {text},
    superseded_by {text},
    folded_into {text},
    tokens BIGINT NOT NULL,
    terms {blob} NOT NULL,              -- the words for BM25, packed by store/postings.py
    revision BIGINT NOT NULL,           -- users.revision at the last change
    PRIMARY KEY (user_id, memory_id)
) {clustered};

-- One active memory a key and persona: settles the race of two writers (design 4.5).
CREATE UNIQUE INDEX memories_active_key ON memories (user_id, memory_key, COALESCE(persona_id, ''))
    WHERE status = 'ACTIVE' AND valid_to IS NULL AND memory_key IS NOT NULL;
CREATE INDEX memories_revision ON memories (user_id, revision);
CREATE INDEX memories_category ON memories (user_id, category, memory_id);

CREATE TABLE memory_vectors (
    user_id {text} NOT NULL,
    memory_id {text} NOT NULL,
    model {text} NOT NULL,
    vector {vector} NOT NULL,
    PRIMARY KEY (user_id, model, memory_id)
) {clustered};

CREATE TABLE memory_history (
    user_id {text} NOT NULL,
    memory_id {text} NOT NULL,
    entry BIGINT NOT NULL,
    at {text} NOT NULL,
    changed_by {text} NOT NULL,
    change {text} NOT NULL,
    old {text} NOT NULL,
    new {text} NOT NULL,
    reason {text} NOT NULL,
    PRIMARY KEY (user_id, memory_id, entry)
) {clustered};
CREATE INDEX memory_history_at ON memory_history (user_id, at);

CREATE TABLE memory_links (
    user_id {text} NOT NULL,
    from_id {text} NOT NULL,
    kind {text} NOT NULL,
    to_id {text} NOT NULL,
    created_at {text} NOT NULL,
    PRIMARY KEY (user_id, from_id, kind, to_id)
) {clustered};
CREATE INDEX memory_links_to ON memory_links (user_id, to_id);

CREATE TABLE entities (
    user_id {text} NOT NULL,
    entity_key {text} NOT NULL,
    type {text} NOT NULL,
    label {text} NOT NULL,
    created_at {text} NOT NULL,
    last_mentioned {text} NOT NULL,
    PRIMARY KEY (user_id, entity_key)
) {clustered};

CREATE TABLE memory_entities (
    user_id {text} NOT NULL,
    entity_key {text} NOT NULL,
    memory_id {text} NOT NULL,
    PRIMARY KEY (user_id, entity_key, memory_id)
) {clustered};
CREATE INDEX memory_entities_memory ON memory_entities (user_id, memory_id);

CREATE TABLE entity_aliases (
    user_id {text} NOT NULL,
    alias {text} NOT NULL,
    entity_key {text} NOT NULL,
    reason {text} NOT NULL,
    created_at {text} NOT NULL,
    PRIMARY KEY (user_id, alias)
) {clustered};

CREATE TABLE chats (
    user_id {text} NOT NULL,
    chat_id {text} NOT NULL,
    persona_id {text},
    title {text},
    created_at {text} NOT NULL,
    last_message_at {text},
    PRIMARY KEY (user_id, chat_id)
) {clustered};

CREATE TABLE messages (
    user_id {text} NOT NULL,
    message_id {text} NOT NULL,
    chat_id {text} NOT NULL,
    position BIGINT NOT NULL,
    role {text} NOT NULL,
    text {text} NOT NULL,
    model_id {text},
    model_variant {text},
    token_usage BIGINT,
    tokens BIGINT NOT NULL,
    importance_score DOUBLE PRECISION NOT NULL,
    created_at {text} NOT NULL,
    PRIMARY KEY (user_id, message_id)
) {clustered};
CREATE UNIQUE INDEX messages_position ON messages (user_id, chat_id, position);

CREATE TABLE briefs (
    user_id {text} NOT NULL,
    chat_id {text} NOT NULL,
    revision BIGINT NOT NULL,
    global_summary {text} NOT NULL,
    last_summarized_message_id {text},
    tokens BIGINT NOT NULL,
    created_at {text} NOT NULL,
    PRIMARY KEY (user_id, chat_id, revision)
) {clustered};

CREATE TABLE summaries (
    user_id {text} NOT NULL,
    summary_id {text} NOT NULL,
    chat_id {text} NOT NULL,
    summary {text} NOT NULL,
    message_count BIGINT NOT NULL,
    start_message_id {text} NOT NULL,
    end_message_id {text} NOT NULL,
    importance_score DOUBLE PRECISION NOT NULL,
    tokens BIGINT NOT NULL,
    created_at {text} NOT NULL,
    PRIMARY KEY (user_id, summary_id)
) {clustered};
CREATE INDEX summaries_chat ON summaries (user_id, chat_id);

CREATE TABLE pins (
    user_id {text} NOT NULL,
    pin_id {text} NOT NULL,
    chat_id {text} NOT NULL,
    content {text} NOT NULL,
    source_message_id {text},
    importance_score DOUBLE PRECISION NOT NULL,
    pin_type {text} NOT NULL,
    tokens BIGINT NOT NULL,
    created_at {text} NOT NULL,
    PRIMARY KEY (user_id, pin_id)
) {clustered};
CREATE INDEX pins_chat ON pins (user_id, chat_id);

CREATE TABLE sessions (
    user_id {text} NOT NULL,
    session_id {text} NOT NULL,
    persona_id {text},
    started_at {text} NOT NULL,
    last_activity_at {text} NOT NULL,
    ended_at {text},
    turn_count BIGINT NOT NULL,
    PRIMARY KEY (user_id, session_id)
) {clustered};

CREATE TABLE session_summaries (
    user_id {text} NOT NULL,
    session_id {text} NOT NULL,
    revision BIGINT NOT NULL,
    content {text} NOT NULL,
    created_at {text} NOT NULL,
    PRIMARY KEY (user_id, session_id, revision)
) {clustered};

CREATE TABLE session_states (
    user_id {text} NOT NULL,
    persona_id {text} NOT NULL,         -- '' for no persona: a key holds no NULL
    state {text} NOT NULL,
    rolling_summary {text} NOT NULL,
    updated_at {text} NOT NULL,
    PRIMARY KEY (user_id, persona_id)
) {clustered};

CREATE TABLE spines (
    user_id {text} NOT NULL,
    version BIGINT NOT NULL,
    content {text} NOT NULL,
    message_count BIGINT NOT NULL,
    created_at {text} NOT NULL,
    PRIMARY KEY (user_id, version)
) {clustered};

CREATE TABLE todos (
    user_id {text} NOT NULL,
    todo_id {text} NOT NULL,
    persona_id {text},
    kind {text} NOT NULL,
    text {text} NOT NULL,
    due_at {text},
    status {text} NOT NULL,
    source_message_ids {text} NOT NULL,
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    PRIMARY KEY (user_id, todo_id)
) {clustered};

CREATE TABLE seeds (
    user_id {text} NOT NULL,
    facts {text} NOT NULL,
    notes {text} NOT NULL,
    updated_at {text} NOT NULL,
    PRIMARY KEY (user_id)
) {clustered};

CREATE TABLE jobs (
    user_id {text} NOT NULL,
    job_id {text} NOT NULL,
    kind {text} NOT NULL,
    lane {text} NOT NULL,               -- one at a time within a lane: the chat
    subject {text} NOT NULL,            -- equal pending subjects are one job
    payload {text} NOT NULL,            -- ids only, never what was said
    status {text} NOT NULL,
    attempts BIGINT NOT NULL,
    run_at {text} NOT NULL,
    leased_until {text},
    last_error {text},
    created_at {text} NOT NULL,
    PRIMARY KEY (user_id, job_id)
) {clustered};
CREATE UNIQUE INDEX jobs_pending ON jobs (user_id, kind, subject) WHERE status = 'pending';
CREATE INDEX jobs_due ON jobs (status, run_at);

CREATE TABLE idempotency_keys (
    user_id {text} NOT NULL,
    idempotency_key {text} NOT NULL,
    request_hash {text} NOT NULL,
    answer {text},
    created_at {text} NOT NULL,
    PRIMARY KEY (user_id, idempotency_key)
) {clustered};
