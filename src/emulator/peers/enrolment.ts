// Adds peers to an account. Machines enrol by themselves; the API has no operation for it.

import { freeAddress, freeLabel, numberedLabel, requestedAddress } from '../addresses/identity.ts';
import { peerMeta } from '../audit/object-meta.ts';
import type { Environment } from '../environment.ts';
import { addPeer, allGroup } from '../groups/membership.ts';
import { objectId } from '../ids/new-object.ts';
import { formatIp } from '../normalise/ip.ts';
import type { Machine, PeerRecord } from '../records/peers.ts';
import type { SetupKeyRecord } from '../records/people.ts';
import { precondition } from '../request/refusal.ts';
import { type Account, openAccount } from '../store/account.ts';
import { timestamp } from '../time/times.ts';
import { stateOf } from './setup-key-state.ts';

export interface Enrolment {
  readonly name: string;
  /** Existing groups that the peer joins, in addition to All and those of the user or key. */
  readonly groups: readonly string[];
  /** The requested address; empty for any. */
  readonly ip: string;
  /** The user who signs in; empty if there is none. */
  readonly user_id: string;
  /** The setup key of the enrolment; absent if there is none. */
  readonly setupKey?: SetupKeyRecord;
  /** The WireGuard public key that the peer registers; absent if it is not given. */
  readonly wg_pub_key?: string | undefined;
  /**
   * Whether the peer is created for temporary access to another peer. In this case no machine signs in, and no event is logged.
   */
  readonly isTemporary?: boolean;
  readonly ephemeral: boolean;
  readonly connected: boolean;
  readonly ssh_enabled: boolean;
  readonly machine: Machine;
}

/**
 * Adds a peer, and returns it. It joins All and the groups of its user or key. Both expirations are on for a peer that a user
 * signed in, and off for any other peer (docs/server-behaviour.md#peers). A setup key that is no longer valid and a public key
 * that is already registered are refused.
 */
export function enrol(
  account: Account,
  enrolment: Enrolment,
  environment: Environment,
): PeerRecord {
  const { name, machine, user_id, connected, ssh_enabled, setupKey, isTemporary } = enrolment;
  const { wg_pub_key } = enrolment;
  if (wg_pub_key !== undefined) refuseRegistered(account, wg_pub_key);
  if (setupKey !== undefined) use(account, setupKey, machine, environment);
  const id = objectId(account.peers, environment);
  const ip = formatIp(addressFor(account, enrolment, environment));
  const now = timestamp(environment.clock);
  const expires = user_id !== '' && !isTemporary;
  const named = { name, ip, id };
  const peer: PeerRecord = {
    id,
    name,
    ip,
    user_id,
    connected,
    ssh_enabled,
    machine,
    label: isTemporary ? numberedLabel(named) : freeLabel(account, named),
    ephemeral: enrolment.ephemeral || (setupKey?.ephemeral ?? false),
    approval_required: false,
    login_expiration_enabled: expires,
    inactivity_expiration_enabled: expires,
    created_at: now,
    last_seen: now,
    last_login: now,
    ...(wg_pub_key !== undefined && { wg_pub_key }),
  };
  account.peers.put(peer);
  addPeer(account, id, joins(account, enrolment, environment));
  if (!isTemporary) logEnrolment(account, peer, setupKey, environment);
  return peer;
}

const addressFor = (account: Account, { ip }: Enrolment, environment: Environment) =>
  ip === '' ? freeAddress(account, environment) : requestedAddress(account, ip);

const byPublicKey = ({ wg_pub_key }: PeerRecord) => (wg_pub_key === undefined ? [] : [wg_pub_key]);

/** Refuses a registered public key, because a key identifies one machine in the whole installation. */
function refuseRegistered({ installation }: Account, wg_pub_key: string): void {
  const { accounts, rows } = installation;
  const isRegistered = accounts
    .all()
    .some(({ id }) => openAccount(rows, id).peers.having(byPublicKey, wg_pub_key).length > 0);
  if (isRegistered) throw precondition('peer has been already registered');
}

function joins(
  account: Account,
  { groups, user_id, setupKey, isTemporary }: Enrolment,
  { behaviour }: Environment,
): readonly string[] {
  const all = allGroup(account);
  const everybody = all === undefined ? [] : [all.id];
  if (isTemporary) return behaviour.temporaryPeers === 'no group' ? [] : everybody;
  return [
    ...groups,
    ...(account.users.get(user_id)?.auto_groups ?? []),
    ...(setupKey?.auto_groups ?? []),
    ...everybody,
  ];
}

function use(
  account: Account,
  key: SetupKeyRecord,
  { extra_dns_labels }: Machine,
  { clock }: Environment,
): void {
  const state = stateOf(key, clock);
  if (state !== 'valid') throw precondition(`setup key is ${state}`);
  if (extra_dns_labels.length > 0 && !key.allow_extra_dns_labels)
    throw precondition('setup key does not allow extra DNS labels');
  account.setupKeys.put({ ...key, used_times: key.used_times + 1, last_used: timestamp(clock) });
}

function logEnrolment(
  account: Account,
  peer: PeerRecord,
  setupKey: SetupKeyRecord | undefined,
  environment: Environment,
): void {
  const meta = peerMeta(account, peer, environment);
  if (setupKey === undefined) {
    const initiator = peer.user_id === '' ? {} : { initiator: peer.user_id };
    account.log({ code: 'peer.user.add', target: peer.id, meta, ...initiator });
    return;
  }
  account.log({
    code: 'peer.setupkey.add',
    target: peer.id,
    meta: { ...meta, setup_key_name: setupKey.name },
    initiator: setupKey.id,
  });
}
