-- SPDX-License-Identifier: Apache-2.0
-- Who may do what in a fleet's store. Run it as the owner of the schema, after Halyard has made the
-- schema there; running it again brings the grants up to date:
--   psql --set ON_ERROR_STOP=1 --file roles.sql "$URL"
-- A login is made for each host and put into one of the roles:
--   CREATE ROLE worker_7 LOGIN PASSWORD '…' IN ROLE halyard_worker;
--
-- halyard_reader    looks
-- halyard_worker    claims and settles requests, stores evidence and builds, and what follows from
--                   its own evidence: self-tested, verified, quarantined
-- halyard_approver  besides: kernels, requests, approvals, and every state

BEGIN;
SET LOCAL client_min_messages = warning;

DO $roles$
DECLARE
  wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['halyard_reader', 'halyard_worker', 'halyard_approver'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
      EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
    END IF;
  END LOOP;
END
$roles$;

GRANT halyard_reader TO halyard_worker, halyard_approver;

REVOKE ALL ON SCHEMA halyard FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA halyard FROM PUBLIC, halyard_reader, halyard_worker,
  halyard_approver;
GRANT USAGE ON SCHEMA halyard TO halyard_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA halyard TO halyard_reader;

GRANT INSERT ON halyard.blobs, halyard.builds, halyard.evidence, halyard.states, halyard.markers
  TO halyard_worker;
GRANT DELETE ON halyard.markers TO halyard_worker;
GRANT UPDATE (value) ON halyard.generation TO halyard_worker;
-- What a request asks for is not the worker's to change, nor can it open one that is settled, or
-- touch one that another login has claimed while the lease lasts.
GRANT UPDATE (status, owner, claimed_by, token, attempts, lease_until, outcome, settled_ms)
  ON halyard.requests
  TO halyard_worker;

GRANT INSERT, UPDATE, DELETE ON halyard.blobs, halyard.kernels, halyard.kernel_files,
  halyard.kernel_targets, halyard.builds, halyard.requests, halyard.markers TO halyard_approver;
GRANT INSERT, UPDATE ON halyard.evidence, halyard.approvals TO halyard_approver;
GRANT INSERT ON halyard.states TO halyard_approver;
GRANT UPDATE (value) ON halyard.generation TO halyard_approver;

ALTER TABLE halyard.states ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS states_read ON halyard.states;
DROP POLICY IF EXISTS states_of_workers ON halyard.states;
DROP POLICY IF EXISTS states_of_approvers ON halyard.states;
CREATE POLICY states_read ON halyard.states FOR SELECT TO halyard_reader USING (true);
CREATE POLICY states_of_workers ON halyard.states FOR INSERT TO halyard_worker
  WITH CHECK (state IN ('self-tested', 'verified', 'quarantined') AND reverts IS NULL
    AND share_percent = 100 AND evidence IS NOT NULL);
CREATE POLICY states_of_approvers ON halyard.states FOR INSERT TO halyard_approver
  WITH CHECK (true);

ALTER TABLE halyard.requests ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS requests_read ON halyard.requests;
DROP POLICY IF EXISTS requests_of_workers ON halyard.requests;
DROP POLICY IF EXISTS requests_of_approvers ON halyard.requests;
CREATE POLICY requests_read ON halyard.requests FOR SELECT TO halyard_reader USING (true);
CREATE POLICY requests_of_workers ON halyard.requests FOR UPDATE TO halyard_worker
  USING (status = 'open' OR (status = 'claimed'
    AND (claimed_by = current_user OR lease_until <= clock_timestamp())))
  WITH CHECK (status <> 'cancelled' AND claimed_by = current_user);
CREATE POLICY requests_of_approvers ON halyard.requests FOR ALL TO halyard_approver
  USING (true) WITH CHECK (true);

COMMIT;
