-- Who may enter: service keys, whose user is '' because they act for anybody, and sessions of one user. Of the secret
-- only a hash is kept.

CREATE TABLE tokens (
    user_id {text} NOT NULL,
    token_id {text} NOT NULL,
    kind {text} NOT NULL,
    secret_hash {text} NOT NULL,
    scopes {text} NOT NULL,             -- a JSON list
    label {text} NOT NULL,
    created_at {text} NOT NULL,
    expires_at {text},
    revoked_at {text},
    PRIMARY KEY (user_id, token_id)
) {clustered};
CREATE INDEX tokens_shown ON tokens (token_id);      -- whoever shows a token does not say whose it is
CREATE INDEX tokens_made ON tokens (created_at, token_id);
CREATE INDEX tokens_ended ON tokens (expires_at);
