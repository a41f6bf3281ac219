// The end of the jobs of a peer (docs/server-behaviour.md#jobs).

import type { Environment } from '../environment.ts';
import type { JobRecord } from '../records/peers.ts';
import type { Account } from '../store/account.ts';
import { SECOND, timestamp } from '../time/times.ts';

/** The time in milliseconds that a peer has to complete a job. */
const PATIENCE = 5 * 60 * SECOND;

/** The result of a job: the location of the bundle, or the reason why there is none. */
export type Outcome = { readonly upload_key: string } | { readonly failed_reason: string };

/** Ends a pending job. */
export function endJob(
  account: Account,
  job: JobRecord,
  outcome: Outcome,
  { clock }: Environment,
): JobRecord {
  const completed_at = timestamp(clock);
  const ended: JobRecord =
    'upload_key' in outcome
      ? {
          ...job,
          completed_at,
          status: 'succeeded',
          workload: { ...job.workload, result: outcome },
        }
      : { ...job, completed_at, status: 'failed', ...outcome };
  account.jobs.put(ended);
  return ended;
}

/** The pending jobs of a peer. */
export function pendingJobs(account: Account, peer: string): readonly JobRecord[] {
  return account.jobs.all().filter(job => job.peer === peer && job.status === 'pending');
}

/** Ends the jobs that timed out, and returns the time when the next job is due. */
export function expireJobs(account: Account, environment: Environment): Date | undefined {
  const now = environment.clock().getTime();
  let next: number | undefined;
  for (const job of account.jobs.all()) {
    if (job.status !== 'pending') continue;
    const due = Date.parse(job.created_at) + PATIENCE;
    if (due > now) next = Math.min(due, next ?? due);
    else endJob(account, job, { failed_reason: 'the peer did not answer in time' }, environment);
  }
  return next === undefined ? undefined : new Date(next);
}
