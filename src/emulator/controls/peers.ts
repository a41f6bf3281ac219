// Controls for the actions of machines: enrol, connect and disconnect.

import type { Environment } from '../environment.ts';
import { choosing } from '../ids/new-object.ts';
import { digest } from '../ids/secret-tokens.ts';
import { enrol } from '../peers/enrolment.ts';
import { endJob, pendingJobs } from '../peers/job-ends.ts';
import { signedIn } from '../peers/logins.ts';
import { peerView } from '../peers/peer-view.ts';
import type { SetupKeyRecord } from '../records/people.ts';
import { type Answer, ok } from '../request/answer.ts';
import { flag, list, object, optional, text, whole } from '../request/body.ts';
import { invalid, notFound, precondition } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';
import { timestamp } from '../time/times.ts';
import type { Control, ControlContext } from './control.ts';

const BODY = object({
  id: optional(text),
  name: text,
  groups: list(text),
  ip: text,
  user_id: text,
  setup_key: text,
  wg_pub_key: optional(text),
  ephemeral: flag,
  connected: optional(flag),
  ssh_enabled: flag,
  hostname: text,
  connection_ip: text,
  os: text,
  kernel_version: text,
  version: text,
  ui_version: text,
  serial_number: text,
  geoname_id: whole,
  country_code: text,
  city_name: text,
  extra_dns_labels: list(text),
  network_addresses: list(text),
  processes: list(text),
});

/**
 * Enrols a peer with the fields of a peer record; only `name` is required. `setup_key` is the complete key. Responds with the
 * record.
 */
export const enrolPeer: Control = context => ok(enrolled(context));

/** Enrols a machine with that name, unless it exists. */
export function enrolOnce(account: Account, name: string, environment: Environment): void {
  if (account.peers.all().some(peer => peer.name === name)) return;
  enrolled({ account, environment, body: shape => shape.read({ name }) });
}

/** Enrols the peer in a body, and returns it. */
function enrolled({
  account,
  environment,
  body,
}: Pick<ControlContext, 'account' | 'environment' | 'body'>) {
  const { id, setup_key, connected = true, ...fields } = body(BODY);
  const { name, groups, ip, user_id, wg_pub_key, ephemeral, ssh_enabled, ...machine } = fields;
  if (name === '') throw invalid('a peer needs a name');
  for (const group of groups)
    if (account.groups.get(group) === undefined) throw invalid(`group id ${group} not found`);
  if (user_id !== '' && account.users.get(user_id) === undefined)
    throw invalid(`user id ${user_id} not found`);
  if (user_id !== '' && setup_key !== '')
    throw invalid('a peer enrols with a user or with a setup key, not with both');
  const peer = enrol(
    account,
    {
      name,
      groups,
      ip,
      user_id,
      wg_pub_key,
      ephemeral,
      connected,
      ssh_enabled,
      ...(setup_key === '' ? {} : { setupKey: keyOf(account, setup_key) }),
      machine: { ...machine, hostname: machine.hostname || name },
    },
    choosing(environment, { id }),
  );
  return peerView(account, peer, environment);
}

const CONNECTION = object({ login: flag });

/** Connects a peer, which ends its pending requests. With `login` its user signs in again. Responds with the peer. */
export const connectPeer: Control = context => {
  const { login } = context.body(CONNECTION);
  return setConnected(context, { connected: true, login });
};

/** Disconnects a peer, which ends its jobs; an ephemeral peer may not come back. Returns the peer. */
export const disconnectPeer: Control = context =>
  setConnected(context, { connected: false, login: false });

function setConnected(
  context: ControlContext,
  { connected, login }: { readonly connected: boolean; readonly login: boolean },
): Answer {
  const { account, environment, path } = context;
  const found = account.peers.get(path('peerId'));
  if (found === undefined) throw notFound('peer', path('peerId'));
  if (login && found.user_id === '') throw precondition(`nobody signed peer ${found.id} in`);
  const before = login ? signedIn(found, environment) : found;
  const peer = { ...before, connected, last_seen: timestamp(environment.clock) };
  account.peers.put(peer);
  const failed_reason = connected ? 'the peer reconnected' : 'the peer disconnected';
  for (const job of pendingJobs(account, peer.id))
    endJob(account, job, { failed_reason }, environment);
  return ok(peerView(account, peer, environment));
}

const RESULT = object({ upload_key: text, failed_reason: text });

/** Completes a job of a machine with an `upload_key` or a `failed_reason`. Responds with the job. */
export const answerJob: Control = ({ account, environment, path, body }) => {
  const { upload_key, failed_reason } = body(RESULT);
  const job = account.jobs.get(path('jobId'));
  if (job === undefined) throw notFound('job', path('jobId'));
  if (job.status !== 'pending') throw precondition(`job ${job.id} is no longer pending`);
  if ((upload_key === '') === (failed_reason === ''))
    throw invalid('specify either upload_key or failed_reason');
  const outcome = upload_key === '' ? { failed_reason } : { upload_key };
  return ok(endJob(account, job, outcome, environment));
};

function keyOf(account: Account, secret: string): SetupKeyRecord {
  const key = account.setupKeys.all().find(one => one.digest === digest(secret));
  if (key === undefined) throw invalid('setup key is unknown');
  return key;
}
