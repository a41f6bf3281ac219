// Machines that an apply took out of a group because they joined it during the write, and that it could not add again: it was
// interrupted, or the audit log could not be read. A new apply of the same files adds them again.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import type { Ended } from '../../support/cli.ts';
import { someOf } from '../../support/variations.ts';
import { expectCode, type Machine, type Machines, machines } from './sharedMachines.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 60_000 });

/** The time of the account; each apply begins a second later. */
let now = Date.parse('2026-01-02T03:04:05Z');
const next = () => {
  now += 1000;
  return now;
};
const LOG = '/api/events/audit';
const BEFORE = 'groups: [{ name: devs }]\n';
const RENAMED = 'groups: [{ name: developers, lifecycle: { was: devs } }]\n';

const groupsOf = async ({ account }: Machines) =>
  (await account.call('GET', '/api/groups')) as JsonObject[];

async function groupId(all: Machines): Promise<string> {
  const found = (await groupsOf(all)).find(({ name }) => name === 'devs' || name === 'developers');
  return String(found?.id);
}

async function members(all: Machines): Promise<unknown[]> {
  const group = (await all.account.call('GET', `/api/groups/${await groupId(all)}`)) as JsonObject;
  return ((group.peers ?? []) as JsonObject[]).map(({ name }) => name).sort();
}

const HIDE_LOG = { method: 'GET', path: LOG, effect: 'status', status: 500, times: 99 };

/** A machine enrols into the group between the read and the write of an apply. */
async function joinsDuring(all: Machines, { hidesLog }: { readonly hidesLog: boolean }) {
  const id = await groupId(all);
  const others: Promise<unknown>[] = [];
  let isOver = false;
  all.account.onAnswer(({ method, path }) => {
    if (isOver || path !== `/api/groups/${id}`) return;
    if (method === 'GET' && others.length === 0) others.push(all.account.enrol('late', [id]));
    if (method === 'PUT' && hidesLog && others.length === 1)
      others.push(all.account.fault(HIDE_LOG));
  });
  return async () => {
    isOver = true;
    await Promise.all(others);
    await all.account.control('DELETE', '/emulator/faults');
  };
}

const KINDS_OF_LOCK = [
  ['the lock in the Git remote', ['--lock', 'git', '--base', 'auto', '--record-base']],
  ['a file as lock', ['--lock', 'file', '--base', 'auto', '--record-base']],
  ['a file as lock, and no base', ['--lock', 'file']],
] as const;

describe.each(someOf(KINDS_OF_LOCK, 1))(
  'after an interrupted apply during which members joined, with %s',
  (_, flags) => {
    const apply = (machine: Machine, ...more: string[]): Promise<Ended> =>
      machine.runAt(next(), 'apply', 'network', ...flags, '--yes', ...more);

    /** A group with a change that nobody finished: `late` is not in it. */
    async function interrupted(all: Machines): Promise<Machine> {
      const one = await all.machine('one');
      await one.write('groups.yaml', BEFORE);
      expectCode(await apply(one), 0);
      await one.write('groups.yaml', RENAMED);
      const over = await joinsDuring(all, { hidesLog: true });
      expectCode(await apply(one), 4);
      await over();
      expect(await members(all)).toEqual([]);
      return one;
    }

    test('a new apply adds the lost members again although its plan is empty, and says so', () =>
      machines(async all => {
        const one = await interrupted(all);
        const later = await apply(one);
        expectCode(later, 0);
        expect(later.stdout.replaceAll(/\s+/g, ' ')).toContain(
          'joined `peers` during the write, and was added again: late',
        );
        expect(await members(all)).toEqual(['late']);
        const again = await apply(one);
        expectCode(again, 0);
        expect(again.stdout).not.toContain('late');
      }, 'netbird'));

    test(
      'a new apply does not add members that an administrator removed since then',
      { tags: 'variation' },
      () =>
        machines(async all => {
          const one = await interrupted(all);
          const id = await groupId(all);
          const [peer] = (await all.account.call('GET', '/api/peers')) as JsonObject[];
          const body = { name: 'developers', peers: [String(peer?.id)] };
          await all.account.call('PUT', `/api/groups/${id}`, body);
          const as = await administrator(all);
          await as('PUT', `/api/groups/${id}`, { name: 'developers', peers: [] });
          expectCode(await apply(one), 0);
          expect(await members(all)).toEqual([]);
        }, 'netbird'),
    );

    test('a new apply does not add members that its own files exclude', { tags: 'variation' }, () =>
      machines(async all => {
        const one = await interrupted(all);
        await one.write(
          'groups.yaml',
          'groups: [{ name: developers, lifecycle: { was: devs, exact: [peers] }, peers: [] }]\n',
        );
        await apply(one, '--allow', 'REMOVES_MEMBERS');
        expect(await members(all)).toEqual([]);
      }, 'netbird'),
    );

    test('an apply that cannot add the lost members names them and ends with 4, and the next one adds them', () =>
      machines(async all => {
        const one = await interrupted(all);
        const path = `/api/groups/${await groupId(all)}`;
        await all.account.fault({ method: 'PUT', path, effect: 'status', status: 403, times: 9 });
        const refused = await apply(one);
        expectCode(refused, 4);
        expect(refused.stdout.replaceAll(/\s+/g, ' ')).toContain(
          'lost members that joined `peers` during the write: late',
        );
        await all.account.control('DELETE', '/emulator/faults');
        expectCode(await apply(one), 0);
        expect(await members(all)).toEqual(['late']);
      }, 'netbird'));

    test('undoing the interrupted apply adds the lost members again', { tags: 'variation' }, () =>
      machines(async all => {
        const one = await interrupted(all);
        const undone = await one.runAt(
          next(),
          'apply',
          'network',
          '--undo',
          '--yes',
          '--lock',
          flags[1],
        );
        expectCode(undone, 0);
        expect(await members(all)).toEqual(['late']);
      }, 'netbird'),
    );
  },
);

test('closing an interrupted apply with --abandon reports the lost members', () =>
  machines(async all => {
    const one = await all.machine('one');
    const apply = (...more: string[]) =>
      one.runAt(next(), 'apply', 'network', '--lock', 'git', ...more);
    await one.write('groups.yaml', BEFORE);
    expectCode(await apply('--yes'), 0);
    await one.write('groups.yaml', RENAMED);
    const over = await joinsDuring(all, { hidesLog: true });
    expectCode(await apply('--yes'), 4);
    await over();
    const listed = await one.run('runs', 'network', '--format', 'json');
    const { runs } = JSON.parse(listed.stdout) as { runs: { run: string; outcome: string }[] };
    const run = runs.find(({ outcome }) => outcome === 'incomplete')?.run ?? '';
    const closed = await apply('--abandon', run);
    expectCode(closed, 0);
    expect(closed.stderr).toContain('lost members that joined `peers` during the write: late');
    expect(closed.stderr).toContain('add them in the account');
    expect(await members(all)).toEqual([]);
  }, 'netbird'));

test(
  'a new apply adds the lost members again after a kill during the final check of an apply',
  { tags: 'variation' },
  () =>
    machines(async all => {
      const one = await all.machine('one');
      const apply = () => one.runAt(next(), 'apply', 'network', '--lock', 'file', '--yes');
      await one.write('groups.yaml', BEFORE);
      expectCode(await apply(), 0);
      await one.write('groups.yaml', RENAMED);
      const over = await joinsDuring(all, { hidesLog: true });
      expectCode(await apply(), 4);
      await over();
      // Every action has ended, and the last line is not written.
      const folder = join(`${one.folder}-journals`);
      const files = await readdir(folder, { recursive: true });
      const file = join(
        folder,
        files
          .filter(name => name.endsWith('.jsonl'))
          .sort()
          .at(-1) ?? '',
      );
      const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
      expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ type: 'close', complete: false });
      await writeFile(file, `${lines.slice(0, -1).join('\n')}\n`);
      expectCode(await apply(), 0);
      expect(await members(all)).toEqual(['late']);
    }, 'netbird'),
);

/** The requests of somebody else. */
async function administrator({ account }: Machines) {
  const body = { name: 'other', role: 'admin', auto_groups: [], is_service_user: true };
  const user = (await account.call('POST', '/api/users', body)) as JsonObject;
  const path = `/api/users/${user.id}/tokens`;
  const made = (await account.call('POST', path, { name: 'own', expires_in: 1 })) as JsonObject;
  const { writeTransport } = await import('../../../src/api/transport/transport.ts');
  return writeTransport({ ...account.transport, token: String(made.plain_token) }).write;
}
