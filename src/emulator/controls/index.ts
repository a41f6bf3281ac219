// What no real server offers: operations under /emulator that stand in for machines, for people who sign in, for the
// passing of time and for what goes wrong.
import { type PathEntry, pathTable } from '../../contract/index.ts';
import { present } from '../../model/errors.ts';
import { openAccount, openInstallation } from '../account.ts';
import { refusable, unknownPath, wrongMethod } from '../answer.ts';
import type { Api } from '../api.ts';
import { auditLog } from '../audit/log.ts';
import { readJson } from '../json.ts';
import { notFound, unauthenticated } from '../refusal.ts';
import type { RawRequest } from '../request.ts';
import type { Rows, Store } from '../store/store.ts';
import { addAccount, listAccounts, loadAccount, resetAccount, setSettings } from './accounts.ts';
import { advanceClock, readClock } from './clock.ts';
import type { Control, ControlContext, Machinery } from './control.ts';
import { addFault, clearFaults, listFaults } from './faults.ts';
import { addGroup, syncUserGroups } from './groups.ts';
import { connectPeer, disconnectPeer, enrolPeer } from './peers.ts';
import { restoreSnapshot, takeSnapshot } from './snapshot.ts';
import { addUser, mintAccessToken, mintToken } from './users.ts';

/** Where every path of a control begins. */
export const CONTROLS_PREFIX = '/emulator/';

const CONTROLS: Readonly<Record<string, Control>> = {
  'GET /emulator/accounts': listAccounts,
  'POST /emulator/accounts': addAccount,
  'POST /emulator/load': loadAccount,
  'POST /emulator/reset': resetAccount,
  'PUT /emulator/settings': setSettings,
  'GET /emulator/snapshot': takeSnapshot,
  'PUT /emulator/snapshot': restoreSnapshot,
  'GET /emulator/clock': readClock,
  'POST /emulator/clock': advanceClock,
  'POST /emulator/users': addUser,
  'POST /emulator/users/{userId}/groups': syncUserGroups,
  'POST /emulator/tokens': mintToken,
  'POST /emulator/access-tokens': mintAccessToken,
  'POST /emulator/groups': addGroup,
  'POST /emulator/peers': enrolPeer,
  'POST /emulator/peers/{peerId}/connect': connectPeer,
  'POST /emulator/peers/{peerId}/disconnect': disconnectPeer,
  'GET /emulator/faults': listFaults,
  'POST /emulator/faults': addFault,
  'DELETE /emulator/faults': clearFaults,
};

export interface ControlsOptions extends Machinery {
  readonly store: Store;
  /** What opens them. */
  readonly token: string;
}

/** Answers the requests under /emulator. */
export function newControls({ store, token, ...machinery }: ControlsOptions): Api {
  const table = pathTable(Object.entries(CONTROLS).map(entry));
  return raw => {
    const match = table(raw.method, raw.path);
    if (match.found === 'nothing') return unknownPath;
    if (match.found === 'other methods') return wrongMethod;
    return refusable(() => {
      if (raw.authorization !== `Token ${token}`) throw unauthenticated('token invalid');
      return store.transaction(rows =>
        match.value(contextOf(rows, raw, match.parameters, machinery)),
      );
    });
  };
}

function entry([line, value]: readonly [string, Control]): PathEntry<Control> {
  const [method = '', path = ''] = line.split(' ');
  return { method, path, value };
}

function contextOf(
  rows: Rows,
  raw: RawRequest,
  parameters: Readonly<Record<string, string>>,
  machinery: Machinery,
): ControlContext {
  const { accounts } = openInstallation(rows);
  const named = raw.query.get('account');
  const found = named === null ? accounts.all()[0] : accounts.get(named);
  if (found === undefined) throw notFound('account', named ?? '');
  const plain = openAccount(rows, found.id);
  const owner = present(
    plain.users.all().find(user => user.role === 'owner'),
    'the owner of an account',
  );
  const account = openAccount(
    rows,
    found.id,
    auditLog(rows, found.id, owner.id, machinery.environment),
  );
  return {
    ...machinery,
    ...{ rows, account, owner },
    path: name => present(parameters[name], `placeholder ${name}`),
    body: shape => shape.read(raw.body === '' ? {} : readJson(raw.body)),
  };
}
