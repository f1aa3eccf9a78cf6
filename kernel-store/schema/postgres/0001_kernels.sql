-- SPDX-License-Identifier: Apache-2.0
-- Records are immutable: rows of blobs, kernels, builds, evidence, approvals and states are only
-- added; a damaged row is set aside by its flag, and put again as a whole.
-- Identities (SHA-256) are 32 bytes; *_ms are milliseconds since 1970 UTC by the server's clock.

CREATE TABLE schema_version (
  one integer PRIMARY KEY CHECK (one = 1),
  version bigint NOT NULL,
  -- The oldest schema that a client may know and still write.
  min_client bigint NOT NULL
);
INSERT INTO schema_version (one, version, min_client) VALUES (1, 0, 1);

CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE
  AS 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint';

CREATE TABLE generation (
  one integer PRIMARY KEY CHECK (one = 1),
  value bigint NOT NULL
);
INSERT INTO generation (one, value) VALUES (1, 1);

CREATE TABLE blobs (
  sha256 bytea PRIMARY KEY CHECK (length(sha256) = 32),
  bytes bytea NOT NULL,
  damaged boolean NOT NULL DEFAULT false
);
-- Code and packages are looked up whole, and are mostly compressed already.
ALTER TABLE blobs ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE kernels (
  id bytea PRIMARY KEY CHECK (length(id) = 32),
  contract text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  version text COLLATE "C" NOT NULL,
  record text NOT NULL,
  prelude_sha256 bytea,
  damaged boolean NOT NULL DEFAULT false,
  created_ms bigint NOT NULL DEFAULT now_ms()
);
CREATE INDEX kernels_by_contract ON kernels (contract, name, version);

CREATE TABLE kernel_files (
  kernel bytea NOT NULL REFERENCES kernels (id),
  name text COLLATE "C" NOT NULL,
  blob bytea NOT NULL REFERENCES blobs (sha256),
  PRIMARY KEY (kernel, name)
);
CREATE INDEX kernel_files_by_blob ON kernel_files (blob);

CREATE TABLE kernel_targets (
  kernel bytea NOT NULL REFERENCES kernels (id),
  contract text COLLATE "C" NOT NULL,
  target text COLLATE "C" NOT NULL,
  PRIMARY KEY (contract, target, kernel)
);

CREATE TABLE builds (
  key bytea PRIMARY KEY CHECK (length(key) = 32),
  kernel bytea NOT NULL,
  target text NOT NULL,
  types text NOT NULL,
  parameters text NOT NULL,
  toolchain text NOT NULL,
  driver text NOT NULL,
  flags text NOT NULL,
  blob bytea NOT NULL REFERENCES blobs (sha256),
  damaged boolean NOT NULL DEFAULT false,
  created_ms bigint NOT NULL DEFAULT now_ms(),
  used_ms bigint NOT NULL DEFAULT now_ms(),  -- To the day.
  sequence bigint GENERATED ALWAYS AS IDENTITY
);
CREATE INDEX builds_by_kernel ON builds (kernel, sequence);
CREATE INDEX builds_by_use ON builds (used_ms, sequence);
CREATE INDEX builds_by_blob ON builds (blob);

CREATE TABLE evidence (
  id bytea PRIMARY KEY CHECK (length(id) = 32),
  kernel bytea NOT NULL,
  target text NOT NULL,
  device text NOT NULL,
  driver text NOT NULL,
  types text NOT NULL,
  kind text NOT NULL,
  verdict text NOT NULL,
  record text NOT NULL,
  damaged boolean NOT NULL DEFAULT false,
  created_ms bigint NOT NULL DEFAULT now_ms(),
  sequence bigint GENERATED ALWAYS AS IDENTITY
);
CREATE INDEX evidence_by_use ON evidence (kernel, target, device, driver);

CREATE TABLE states (
  sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kernel bytea NOT NULL CHECK (length(kernel) = 32),
  target text NOT NULL,
  first_driver text NOT NULL,
  last_driver text NOT NULL,
  state text NOT NULL CHECK (state IN
    ('candidate', 'self-tested', 'verified', 'promoted', 'quarantined', 'retired')),
  conditions text NOT NULL DEFAULT '[]',
  share_percent bigint NOT NULL DEFAULT 100 CHECK (share_percent BETWEEN 1 AND 100),
  who text NOT NULL,
  why text NOT NULL,
  evidence bytea,
  reverts bigint,
  time_ms bigint NOT NULL DEFAULT now_ms()
);
CREATE INDEX states_by_kernel ON states (kernel, target, sequence);

-- A document has as many rows as there are signatures of it: a wrong one keeps no right one out.
CREATE TABLE approvals (
  id bytea NOT NULL CHECK (length(id) = 32),
  kernel bytea NOT NULL,
  target text NOT NULL,
  origin bytea NOT NULL CHECK (length(origin) = 32),
  sequence bigint NOT NULL CHECK (sequence > 0),
  document text NOT NULL,
  signature bytea NOT NULL CHECK (length(signature) = 64),
  damaged boolean NOT NULL DEFAULT false,
  created_ms bigint NOT NULL DEFAULT now_ms(),
  PRIMARY KEY (id, signature)
);
CREATE INDEX approvals_by_kernel ON approvals (kernel, origin, sequence);
CREATE INDEX approvals_by_origin ON approvals (origin, sequence);

CREATE TABLE requests (
  id bytea PRIMARY KEY CHECK (length(id) = 32),
  sequence bigint GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL CHECK (kind IN ('kernel', 'verification', 'measurement')),
  target text NOT NULL,
  document text NOT NULL,
  status text NOT NULL DEFAULT 'open' CHECK (status IN
    ('open', 'claimed', 'done', 'failed', 'cancelled')),
  owner text NOT NULL DEFAULT '',
  -- The role of the last claim: roles.sql lets no other one touch what is claimed.
  claimed_by text NOT NULL DEFAULT '',
  token bigint NOT NULL DEFAULT 0,
  attempts bigint NOT NULL DEFAULT 0,
  lease_until timestamptz NOT NULL DEFAULT '-infinity',
  outcome text NOT NULL DEFAULT '',
  created_ms bigint NOT NULL DEFAULT now_ms(),
  settled_ms bigint NOT NULL DEFAULT 0
);
-- What a claim looks at: of a million requests only those that are not settled.
CREATE INDEX requests_pending ON requests (sequence) WHERE status IN ('open', 'claimed');
CREATE INDEX requests_in_order ON requests (sequence);

CREATE TABLE markers (
  device text NOT NULL,
  kernel bytea NOT NULL,
  target text NOT NULL,
  driver text NOT NULL,
  pid bigint NOT NULL,
  process_start bigint NOT NULL,
  boot_id text NOT NULL,
  host text NOT NULL,
  time_ms bigint NOT NULL DEFAULT now_ms(),
  PRIMARY KEY (device, kernel, target, driver, host, boot_id, pid, process_start)
);
CREATE INDEX markers_by_host ON markers (host);
