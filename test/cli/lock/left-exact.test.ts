// Members that an apply put into an exact set, and those that it took out: they are told and undone as those of shared sets are.
import { expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { git } from '../../support/git.ts';
import { expectCode, type Machine, type Machines, machines } from './sharedMachines.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 90_000 });

const LATE =
  'posture_checks: [{ name: late, checks: { nb_version_check: { min_version: 0.60.0 } } }]\n';
const REFUSED = { method: 'POST', path: '/api/posture-checks', effect: 'status', status: 400 };
const exactly = (...peers: string[]) =>
  `groups: [{ name: ops, peers: [${peers.join(', ')}], lifecycle: { exact: [peers] } }]\n`;

async function ops({ account }: Machines): Promise<JsonObject> {
  const groups = (await account.call('GET', '/api/groups')) as JsonObject[];
  return groups.find(({ name }) => name === 'ops') ?? {};
}

const members = async (all: Machines): Promise<unknown> =>
  ((await ops(all)).peers as JsonObject[]).map(({ name }) => name).sort();

/** A group that somebody makes in the dashboard, with some of the enrolled peers. */
async function byHand(all: Machines, ...names: string[]): Promise<void> {
  for (const name of ['ada', 'bob', 'eve']) await all.account.enrol(name);
  const peers = (await all.account.call('GET', '/api/peers')) as JsonObject[];
  const ids = peers.filter(({ name }) => names.includes(String(name))).map(({ id }) => id);
  await all.account.call('POST', '/api/groups', { name: 'ops', peers: ids as string[] });
}

async function joins(all: Machines, name: string): Promise<void> {
  const group = await ops(all);
  const peers = (await all.account.call('GET', '/api/peers')) as JsonObject[];
  const more = peers.filter(one => one.name === name);
  const ids = [...(group.peers as JsonObject[]), ...more].map(({ id }) => String(id));
  await all.account.call('PUT', `/api/groups/${group.id}`, { name: 'ops', peers: ids });
}

const drift = (machine: Machine) => machine.run('drift', 'network', '--base', 'auto');
const undo = (machine: Machine, run: string) =>
  machine.run('apply', 'network', '--undo', run, '--yes', '--allow', 'LOSES_MEMBERS');

async function newestRun(machine: Machine): Promise<string> {
  const { stdout } = await machine.run('runs', 'network', '--format', 'json');
  const { runs } = JSON.parse(stdout) as { runs: { run: string }[] };
  return runs[0]?.run.slice(0, 8) ?? '';
}

test(
  'changes of an exact set by an unfinished apply are reported, and undone without machines that joined since then',
  { tags: 'variation' },
  () =>
    machines(async all => {
      const one = await all.machine('one');
      await one.declare('a');
      expectCode(await one.apply(), 0);
      await byHand(all, 'ada');
      await one.write('x.yaml', `${exactly('bob')}${LATE}`);
      await one.runAt(60_000, 'runs', 'network');
      await all.account.fault({ ...REFUSED, times: 1 });
      expectCode(await one.apply('--concurrency', '1', '--allow', 'LOSES_MEMBERS'), 4);
      expect(await members(all)).toEqual(['bob']);
      const run = await newestRun(one);
      git(one.folder, 'revert', '--no-edit', 'HEAD');
      git(one.folder, 'push', '--quiet', 'origin', 'HEAD:main');
      await joins(all, 'eve');
      const told = `LEFT_BY_RUN group.ops was changed by the apply ${run}, which was not finished, and no file declares that: \`peers\` has "bob", and \`peers\` lacks "ada"`;
      expect((await drift(one)).stderr).toContain(told);
      expectCode(await one.run('apply', 'network', '--abandon', run, '--yes'), 0);
      expect((await drift(one)).stderr).toContain(told);
      expectCode(await undo(one, run), 0);
      expect(await members(all)).toEqual(['ada', 'eve']);
      expect((await drift(one)).stderr).not.toContain('LEFT_BY_RUN');
    }, 'netbird'),
);

test('undoing a complete apply restores the former members of an exact set', () =>
  machines(async all => {
    const one = await all.machine('one');
    await byHand(all, 'ada', 'eve');
    await one.write('g.yaml', exactly('eve', 'bob'));
    expectCode(await one.apply('--allow', 'LOSES_MEMBERS'), 0);
    expect(await members(all)).toEqual(['bob', 'eve']);
    const run = await newestRun(one);
    expectCode(await undo(one, run), 0);
    expect(await members(all)).toEqual(['ada', 'eve']);
  }, 'netbird'));
