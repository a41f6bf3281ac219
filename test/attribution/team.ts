// An account that people change by hand after an apply, on a clock that goes on with every change.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { writeTransport } from '../../src/api/transport/transport.ts';
import { isList, isObject, type Json, type JsonObject } from '../../src/model/value.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { type Ended, environmentOf, inFolder, meshform } from '../support/cli.ts';

/** Calls the API as somebody. */
export type Call = TestAccount['call'];

/** Somebody with a token of their own. */
export interface Member {
  readonly id: string;
  readonly email: string;
  readonly token: string;
  readonly call: Call;
}

export interface Team {
  readonly account: TestAccount;
  readonly cwd: string;
  readonly people: readonly [Member, Member, Member, Member, Member];
  /** Adds somebody with a role. */
  readonly join: (name: string, role?: string) => Promise<Member>;
  readonly run: (argv: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Ended>;
  readonly write: (name: string, text: string) => Promise<void>;
  /** Lets time pass, in milliseconds, and says what time it is. */
  readonly pass: (milliseconds: number) => number;
}

const START = Date.parse('2026-11-02T08:00:00Z');

/** Uses an account with five people. */
export function team(
  use: (team: Team) => Promise<void>,
  options: Parameters<typeof startAccount>[0] = {},
): Promise<void> {
  return inFolder(async cwd => {
    let time = START;
    const now = () => time;
    const account = await startAccount({ clock: () => new Date(time), ...options });
    onTestFinished(() => account.close());
    const addMember = async (name: string, role = 'admin'): Promise<Member> => {
      const email = `${name}@example.com`;
      const user = await account.control('POST', '/emulator/users', { name, email, role });
      const id = String(isObject(user) ? user.id : '');
      const minted = await account.control('POST', '/emulator/tokens', { user_id: id });
      const token = String(isObject(minted) ? minted.token : '');
      const own = writeTransport({ ...account.transport, token });
      const call: Call = (method, path, body) => {
        time += 1_000;
        return method === 'GET' ? own.get(path) : own.write(method, path, body);
      };
      return { id, email, token, call };
    };
    const people: Team['people'] = [
      await addMember('ada'),
      await addMember('bob'),
      await addMember('cyd'),
      await addMember('dee'),
      await addMember('eve'),
    ];
    const known = { ...environmentOf(account), HUSH: 'hush' };
    await use({
      account,
      cwd,
      people,
      join: addMember,
      run: (argv, env = {}) =>
        meshform(argv, {
          cwd,
          env: { ...known, ...env },
          clock: { now, sleep: () => Promise.resolve() },
        }),
      write: (name, text) => writeFile(join(cwd, name), text),
      pass: milliseconds => {
        time += milliseconds;
        return time;
      },
    });
  });
}

/** Applies files, and lets so much time pass that nothing after it can be taken for a part of the run. */
export async function applyFiles({ write, run, pass }: Team, text: string): Promise<void> {
  await write('network.yaml', text);
  const ended = await run(['apply', '--yes', '--allow', 'REVEALS_SECRET']);
  expect(ended.code, ended.stderr).toBe(0);
  pass(600_000);
}

/** The objects that a path lists. */
export async function listed(call: Call, path: string): Promise<readonly JsonObject[]> {
  const list = await call('GET', path);
  return isList(list) ? list.filter(isObject) : [];
}

/** The object of this name that a path lists. */
export async function found(call: Call, path: string, name: string): Promise<JsonObject> {
  const object = (await listed(call, path)).find(one => namesIn(one).includes(name));
  if (!object) throw new Error(`${path} has no ${name}`);
  return object;
}

const namesIn = ({ name, email, network_id }: JsonObject): readonly (Json | undefined)[] => [
  name,
  email,
  network_id,
];

/** An object as an update takes it: objects that it shows in the place of ids are ids. */
export function asWritten(value: Json): Json {
  if (isList(value)) return value.map(asWritten);
  if (!isObject(value)) return value;
  const lists = [
    'sources',
    'destinations',
    'peers',
    'groups',
    'auto_groups',
    'source_posture_checks',
  ];
  return Object.fromEntries(
    Object.entries(value).map(([name, item]): [string, Json] => [
      name,
      lists.includes(name) && isList(item)
        ? item.map(one => (isObject(one) ? (one.id ?? null) : one))
        : asWritten(item),
    ]),
  );
}

/** What the JSON document of a drift report says of who caused it, by address. */
export async function attributions(
  { run }: Pick<Team, 'run'>,
  ...flags: readonly string[]
): Promise<ReadonlyMap<string, Attributed>> {
  const ended = await run(['drift', '--format', 'json', ...flags]);
  expect(ended.code, ended.stderr).toBe(2);
  const { meshform: own } = JSON.parse(ended.stdout);
  return new Map(own.attribution.map((one: Attributed) => [one.address, one]));
}

interface Named {
  readonly id: string;
  readonly email: string;
}

export interface Attributed {
  readonly address: string;
  readonly confidence: 'exact' | 'window' | 'none';
  readonly by: Named | null;
  readonly when: string | null;
  readonly activity: string | null;
  readonly candidates?: readonly { readonly by: Named; readonly activity: string }[];
  readonly reason?: string;
}

/** Everybody whom an attribution names. */
export const namedIn = ({ by, candidates = [] }: Attributed): readonly string[] =>
  [...(by ? [by] : []), ...candidates.map(one => one.by)].map(({ email }) => email);
