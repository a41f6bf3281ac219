// Creates and reads jobs for the API (docs/server-behaviour.md#jobs). Another file ends them.

import { uuidId } from '../ids/new-object.ts';
import { isAtLeast, isVersion } from '../normalise/version.ts';
import { pendingJobs } from '../peers/job-ends.ts';
import type { JobRecord, PeerRecord } from '../records/peers.ts';
import { ok } from '../request/answer.ts';
import { flag, object, type Read, text, whole } from '../request/body.ts';
import type { Handlers } from '../request/handler.ts';
import { impossible, notFound, precondition } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';
import { timestamp } from '../time/times.ts';
import { findPeer } from './peers.ts';

const PARAMETERS = object({
  bundle_for: flag,
  bundle_for_time: whole,
  log_file_count: whole,
  anonymize: flag,
});
const BODY = object({ workload: object({ type: text, parameters: PARAMETERS }) });

/** The first version of an agent that supports jobs. */
const FIRST = '0.64.0';

export const jobs: Handlers = {
  listJobs: (account, request) => {
    const peer = findPeer(account, request);
    const own = account.jobs.all().filter(job => job.peer === peer.id);
    // Jobs with the same time are in reverse order of creation.
    return ok(own.toReversed().map(view));
  },

  createJob: (account, request, environment) => {
    const { workload } = request.body(BODY, refuseBad);
    const peer = findPeer(account, request);
    refuseNow(account, peer);
    const job: JobRecord = {
      id: uuidId(account.jobs, environment),
      peer: peer.id,
      triggered_by: request.caller.id,
      workload,
      created_at: timestamp(environment.clock),
      completed_at: null,
      status: 'pending',
      failed_reason: null,
    };
    account.jobs.put(job);
    const meta = { for_peer_name: peer.name, job_type: workload.type };
    account.log({ code: 'peer.job.create', target: peer.id, meta });
    return ok(view(job));
  },

  getJob: (account, request) => {
    const peer = findPeer(account, request);
    const id = request.path('jobId');
    const job = account.jobs.get(id);
    if (job === undefined || job.peer !== peer.id) throw notFound('job', id);
    return ok(view(job));
  },
};

function refuseBad({ workload: { type, parameters } }: Read<typeof BODY>): void {
  const { bundle_for, bundle_for_time: minutes, log_file_count } = parameters;
  if (type !== 'bundle') throw impossible(`unknown workload type: ${type}`);
  if (bundle_for && (minutes < 1 || minutes > 5))
    throw impossible('bundle_for_time must be between 1 and 5 minutes');
  if (log_file_count < 1 || log_file_count > 1000)
    throw impossible('log_file_count must be between 1 and 1000');
}

/** Fields whose values may differ each time. */
function refuseNow(account: Account, { id, connected, machine }: PeerRecord): void {
  if (!connected) throw impossible('the peer is not connected');
  if (pendingJobs(account, id).length > 0) throw impossible('the peer has a job that waits');
  if (isVersion(machine.version) && !isAtLeast(machine.version, FIRST))
    throw precondition(`the peer needs version ${FIRST} at least`);
}

function view({ peer: _, ...job }: JobRecord) {
  return job;
}
