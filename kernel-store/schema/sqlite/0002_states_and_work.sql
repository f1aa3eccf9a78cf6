-- SPDX-License-Identifier: Apache-2.0
-- A record whose bytes are not those of its identity moves to `damaged`, and the record can be put
-- again. So a file or a build may name a blob that is missing for a while.

CREATE TABLE damaged (
  what TEXT NOT NULL,
  id BLOB NOT NULL,
  why TEXT NOT NULL,
  content ANY,
  time_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE new_kernel_files (
  kernel BLOB NOT NULL REFERENCES kernels (id),
  name TEXT NOT NULL,
  blob BLOB NOT NULL,
  PRIMARY KEY (kernel, name)
) STRICT, WITHOUT ROWID;
INSERT INTO new_kernel_files (kernel, name, blob) SELECT kernel, name, blob FROM kernel_files;
DROP TABLE kernel_files;
ALTER TABLE new_kernel_files RENAME TO kernel_files;
CREATE INDEX kernel_files_by_blob ON kernel_files (blob);

CREATE TABLE new_builds (
  key BLOB PRIMARY KEY CHECK (length(key) = 32),
  kernel BLOB NOT NULL,
  target TEXT NOT NULL,
  types TEXT NOT NULL,
  parameters TEXT NOT NULL,
  toolchain TEXT NOT NULL,
  driver TEXT NOT NULL,
  flags TEXT NOT NULL,
  blob BLOB NOT NULL,
  created_ms INTEGER NOT NULL,
  used_ms INTEGER NOT NULL DEFAULT 0  -- To the day.
) STRICT, WITHOUT ROWID;
INSERT INTO new_builds
  SELECT key, kernel, target, types, parameters, toolchain, driver, flags, blob, created_ms,
    created_ms FROM builds;
DROP TABLE builds;
ALTER TABLE new_builds RENAME TO builds;
CREATE INDEX builds_by_kernel ON builds (kernel);
CREATE INDEX builds_by_blob ON builds (blob);
CREATE INDEX builds_by_use ON builds (used_ms);

-- What find_kernels() looks in; kept by the triggers, whichever program adds a kernel.
CREATE TABLE kernel_targets (
  contract TEXT NOT NULL,
  target TEXT NOT NULL,
  name TEXT NOT NULL,
  version TEXT NOT NULL,
  kernel BLOB NOT NULL,
  PRIMARY KEY (contract, target, name, version, kernel)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER kernels_added AFTER INSERT ON kernels BEGIN
  INSERT OR IGNORE INTO kernel_targets (contract, target, name, version, kernel)
    SELECT new.contract, value, new.name, new.version, new.id
    FROM json_each(new.record, '$.targets');
END;
CREATE TRIGGER kernels_removed AFTER DELETE ON kernels BEGIN
  DELETE FROM kernel_targets WHERE contract = old.contract AND kernel = old.id;
END;
INSERT OR IGNORE INTO kernel_targets (contract, target, name, version, kernel)
  SELECT kernels.contract, json_each.value, kernels.name, kernels.version, kernels.id
  FROM kernels, json_each(iif(json_valid(kernels.record), kernels.record, '{}'), '$.targets')
  WHERE json_each.type = 'text';

ALTER TABLE states ADD COLUMN conditions TEXT NOT NULL DEFAULT '[]';
ALTER TABLE states ADD COLUMN share_percent INTEGER NOT NULL DEFAULT 100;
ALTER TABLE states ADD COLUMN reverts INTEGER;

-- A document has as many rows as there are signatures of it: a wrong one keeps no right one out.
CREATE TABLE approvals (
  id BLOB NOT NULL CHECK (length(id) = 32),
  signature BLOB NOT NULL CHECK (length(signature) = 64),
  document TEXT NOT NULL,
  kernel BLOB NOT NULL,
  target TEXT NOT NULL,
  origin BLOB NOT NULL,
  sequence INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  PRIMARY KEY (id, signature)
) STRICT, WITHOUT ROWID;
CREATE INDEX approvals_by_kernel ON approvals (kernel, origin, sequence);
CREATE INDEX approvals_by_origin ON approvals (origin, sequence);

ALTER TABLE requests ADD COLUMN kind TEXT NOT NULL DEFAULT 'kernel';
ALTER TABLE requests ADD COLUMN target TEXT NOT NULL DEFAULT '';
ALTER TABLE requests ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE requests ADD COLUMN lease_from_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE requests ADD COLUMN settled_ms INTEGER NOT NULL DEFAULT 0;
UPDATE requests SET lease_from_ms = lease_until_ms WHERE status = 'claimed';
UPDATE requests SET settled_ms = created_ms WHERE status NOT IN ('open', 'claimed');
