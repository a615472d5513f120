-- Attempts count failures; what a job was begun is counted apart, so that kills alone do not end it.
ALTER TABLE jobs ADD COLUMN begun BIGINT NOT NULL DEFAULT 0;         -- times it was begun since it last ended
ALTER TABLE jobs ADD COLUMN begun_alone BIGINT NOT NULL DEFAULT 0;   -- of these, times that its worker ran nothing else

-- Attempts are never negative: a query that does not ask for that uses another index. Without statistics PostgreSQL would
-- look here for the jobs of a lane among all of a user's.
DROP INDEX jobs_pending;
CREATE UNIQUE INDEX jobs_pending ON jobs (user_id, kind, subject) WHERE status = 'pending' AND attempts >= 0;
DROP INDEX jobs_due;
CREATE INDEX jobs_due ON jobs (status, run_at, user_id, job_id);
-- Users in rotation: a user whose jobs fill a statement is passed over without reading the rest of them.
CREATE INDEX jobs_by_kind ON jobs (status, kind, user_id, run_at, job_id);

-- Runs of the curator are not kept.
DROP TABLE curator_runs;
