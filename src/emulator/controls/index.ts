// Operations under /emulator that no real server offers. They simulate machines, users who sign in, the passing of
// time, and faults.
import { type PathEntry, pathTable } from '../../contract/index.ts';
import { present } from '../../model/errors.ts';
import { openOwned } from '../access/owned-account.ts';
import {
  type Answer,
  done,
  refusable,
  refused,
  unknownPath,
  wrongMethod,
} from '../request/answer.ts';
import { object, type Shape } from '../request/body.ts';
import { readWholeJson } from '../request/json.ts';
import { invalid, notFound, Refusal, unauthenticated } from '../request/refusal.ts';
import { openInstallation } from '../store/account.ts';
import type { Rows } from '../store/store.ts';
import type { RawRequest } from '../transport/request.ts';
import { addAccount, listAccounts, resetAccount, setSettings } from './accounts.ts';
import { advanceClock, readClock } from './clock.ts';
import {
  type Afterwards,
  type Control,
  type ControlContext,
  type Machinery,
  refuseStrays,
} from './control.ts';
import { loadDesiredState } from './desired-state.ts';
import { fillDirectory, publishDns } from './directories.ts';
import { addFault, clearFaults, listFaults } from './faults.ts';
import { addGroup, syncUserGroups } from './groups.ts';
import { loadAccount } from './load.ts';
import { emptyOutbox, readOutbox } from './outbox.ts';
import { answerJob, connectPeer, disconnectPeer, enrolPeer } from './peers.ts';
import { connectCluster, exposeService } from './proxy.ts';
import { restoreSnapshot, takeSnapshot } from './snapshot.ts';
import { addTenant } from './tenants.ts';
import { damageLog, makeAccesses, makeDays, makeFlows } from './traffic.ts';
import { addUser, givePassword, mintAccessToken, mintToken } from './users.ts';

/** The path prefix of controls. */
export const CONTROLS_PREFIX = '/emulator/';

/** Every control, by its request line. */
export const CONTROLS: Readonly<Record<string, Control>> = {
  'GET /emulator/accounts': listAccounts,
  'POST /emulator/accounts': addAccount,
  'POST /emulator/tenants': addTenant,
  'POST /emulator/load': loadAccount,
  'POST /emulator/desired-state': loadDesiredState,
  'POST /emulator/reset': resetAccount,
  'PUT /emulator/settings': setSettings,
  'GET /emulator/snapshot': takeSnapshot,
  'PUT /emulator/snapshot': restoreSnapshot,
  'GET /emulator/clock': readClock,
  'POST /emulator/clock': advanceClock,
  'POST /emulator/users': addUser,
  'POST /emulator/users/{userId}/groups': syncUserGroups,
  'POST /emulator/passwords': givePassword,
  'POST /emulator/tokens': mintToken,
  'POST /emulator/access-tokens': mintAccessToken,
  'POST /emulator/groups': addGroup,
  'PUT /emulator/directories/{directory}/{id}': fillDirectory,
  'PUT /emulator/dns': publishDns,
  'POST /emulator/peers': enrolPeer,
  'POST /emulator/peers/{peerId}/connect': connectPeer,
  'POST /emulator/peers/{peerId}/disconnect': disconnectPeer,
  'POST /emulator/peers/{peerId}/services': exposeService,
  'POST /emulator/clusters': connectCluster,
  'POST /emulator/proxy-clusters': connectCluster,
  'POST /emulator/jobs/{jobId}': answerJob,
  'POST /emulator/traffic': makeFlows,
  'POST /emulator/traffic-days': makeDays,
  'PUT /emulator/traffic-log': damageLog,
  'POST /emulator/proxy-logs': makeAccesses,
  'GET /emulator/outbox': readOutbox,
  'DELETE /emulator/outbox': emptyOutbox,
  'GET /emulator/faults': listFaults,
  'POST /emulator/faults': addFault,
  'DELETE /emulator/faults': clearFaults,
};

/** Answers the requests under /emulator that contain `token`. */
export function newControls(
  token: string,
  machinery: Machinery,
): (raw: RawRequest) => Answer | Promise<Answer> {
  const table = pathTable(Object.entries(CONTROLS).map(entry));
  return raw => {
    const match = table(raw.method, raw.path);
    if (match.found === 'nothing') return unknownPath;
    if (match.found === 'other methods') return wrongMethod(match.methods);
    let afterwards: Afterwards | undefined;
    const answer = refusable(() => {
      if (raw.authorization !== `Token ${token}`) throw unauthenticated('token invalid');
      refuseQuery(raw);
      const said = machinery.store.transaction(rows => {
        const reading = newReading(raw);
        const answer = match.value(
          contextOf(rows, raw, match.parameters, { ...machinery, ...reading }),
        );
        reading.refuseUnread();
        return answer;
      });
      if (typeof said !== 'function') return said;
      afterwards = said;
      return done();
    });
    return afterwards === undefined ? inOrder(answer) : whenDone(afterwards);
  };
}

/**
 * Keeps the order of lists in responses of controls, because a snapshot whose lists are in another order would be a different
 * snapshot.
 */
function inOrder(answer: Answer): Answer {
  return 'body' in answer ? { ...answer, ordered: 'everywhere' } : answer;
}

async function whenDone(afterwards: Afterwards): Promise<Answer> {
  try {
    return await afterwards();
  } catch (error) {
    if (error instanceof Refusal) return refused(error);
    throw error;
  }
}

function entry([line, value]: readonly [string, Control]): PathEntry<Control> {
  const [method = '', path = ''] = line.split(' ');
  return { method, path, value };
}

function contextOf(
  rows: Rows,
  raw: RawRequest,
  parameters: Readonly<Record<string, string>>,
  means: Machinery & Pick<ControlContext, 'body' | 'text'>,
): ControlContext {
  const named = raw.query.get('account');
  // The account is looked up on demand, because some controls need no account, and there may be none after the last account was
  // deleted.
  const owned = () => {
    const { accounts } = openInstallation(rows);
    const found = named === null ? accounts.all()[0] : accounts.get(named);
    if (found === undefined) throw notFound('account', named ?? '');
    return openOwned(rows, found.id, means.environment);
  };
  if (named !== null) owned();
  return {
    ...means,
    rows,
    get account() {
      return owned().account;
    },
    get owner() {
      return owned().owner;
    },
    path: name => present(parameters[name], `placeholder ${name}`),
  };
}

/** The body of a request for a control, in which unknown fields are refused. */
function newReading({ body: text }: RawRequest) {
  let isRead = text === '';
  const body = <T>(shape: Shape<T>): T => {
    isRead = true;
    const json = text === '' ? {} : readWholeJson(text);
    const read = shape.read(json);
    refuseStrays(shape, json);
    return read;
  };
  return {
    body,
    text: () => {
      isRead = true;
      return text;
    },
    /** Refuses a body that the control does not accept, unless it is empty. */
    refuseUnread: () => {
      if (!isRead) body(object({}));
    },
  };
}

/** The only query parameter of controls is the account. */
function refuseQuery({ query }: RawRequest): void {
  for (const name of query.keys())
    if (name !== 'account') throw invalid(`unknown query parameter: ${name}`);
}
