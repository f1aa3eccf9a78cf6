-- SPDX-License-Identifier: Apache-2.0
-- Records are immutable: rows of blobs, kernels, builds, evidence and states are only added.
-- Identities (SHA-256) are 32-byte blobs; times are milliseconds since 1970 UTC.

CREATE TABLE generation (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  value INTEGER NOT NULL
) STRICT;
INSERT INTO generation (one, value) VALUES (1, 1);

CREATE TABLE blobs (
  sha256 BLOB NOT NULL UNIQUE CHECK (length(sha256) = 32),
  bytes BLOB NOT NULL
) STRICT;

CREATE TABLE kernels (
  id BLOB PRIMARY KEY CHECK (length(id) = 32),
  contract TEXT NOT NULL,
  name TEXT NOT NULL,
  version TEXT NOT NULL,
  record TEXT NOT NULL,
  prelude_sha256 BLOB,
  created_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX kernels_by_contract ON kernels (contract, name, version);

CREATE TABLE kernel_files (
  kernel BLOB NOT NULL REFERENCES kernels (id),
  name TEXT NOT NULL,
  blob BLOB NOT NULL REFERENCES blobs (sha256),
  PRIMARY KEY (kernel, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE builds (
  key BLOB PRIMARY KEY CHECK (length(key) = 32),
  kernel BLOB NOT NULL,
  target TEXT NOT NULL,
  types TEXT NOT NULL,
  parameters TEXT NOT NULL,
  toolchain TEXT NOT NULL,
  driver TEXT NOT NULL,
  flags TEXT NOT NULL,
  blob BLOB NOT NULL REFERENCES blobs (sha256),
  created_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX builds_by_kernel ON builds (kernel);

CREATE TABLE evidence (
  id BLOB PRIMARY KEY CHECK (length(id) = 32),
  kernel BLOB NOT NULL,
  target TEXT NOT NULL,
  device TEXT NOT NULL,
  driver TEXT NOT NULL,
  types TEXT NOT NULL,
  kind TEXT NOT NULL,
  verdict TEXT NOT NULL,
  record TEXT NOT NULL,
  created_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX evidence_by_use ON evidence (kernel, target, device, driver);

CREATE TABLE states (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  kernel BLOB NOT NULL,
  target TEXT NOT NULL,
  first_driver TEXT NOT NULL,
  last_driver TEXT NOT NULL,
  state TEXT NOT NULL,
  who TEXT NOT NULL,
  why TEXT NOT NULL,
  evidence BLOB,
  time_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX states_by_kernel ON states (kernel, target, sequence);

CREATE TABLE requests (
  id BLOB PRIMARY KEY CHECK (length(id) = 32),
  document TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'claimed', 'done', 'failed', 'cancelled')),
  owner TEXT NOT NULL DEFAULT '',
  token INTEGER NOT NULL DEFAULT 0,
  lease_until_ms INTEGER NOT NULL DEFAULT 0,
  outcome TEXT NOT NULL DEFAULT '',
  created_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX requests_by_status ON requests (status, created_ms);

CREATE TABLE markers (
  device TEXT NOT NULL,
  kernel BLOB NOT NULL,
  target TEXT NOT NULL,
  driver TEXT NOT NULL,
  pid INTEGER NOT NULL,
  process_start INTEGER NOT NULL,
  boot_id TEXT NOT NULL,
  host TEXT NOT NULL,
  time_ms INTEGER NOT NULL,
  PRIMARY KEY (device, kernel, target, host, boot_id, pid, process_start)
) STRICT, WITHOUT ROWID;
