// What two unfinished applies of one user may have done: it is told once, of the one that did it.
import { expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { git } from '../../support/git.ts';
import { cutNewest } from './cutJournals.ts';
import { expectCode, type Machine, type Machines, machines } from './sharedMachines.ts';

// A whole story, of several applies.
vi.setConfig({ testTimeout: 90_000 });

const FILES = `groups: [{ name: con }, { name: ops, peers: [ada, bob] }]
posture_checks: [{ name: late, checks: { nb_version_check: { min_version: 0.60.0 } } }]
`;
const REFUSED = { method: 'POST', path: '/api/posture-checks', effect: 'status', status: 400 };

async function setOps({ account }: Machines, ...names: string[]): Promise<void> {
  const peers = (await account.call('GET', '/api/peers')) as JsonObject[];
  const ids = peers.filter(({ name }) => names.includes(String(name))).map(({ id }) => String(id));
  const groups = (await account.call('GET', '/api/groups')) as JsonObject[];
  const found = groups.find(({ name }) => name === 'ops');
  const body = { name: 'ops', peers: ids };
  if (found) await account.call('PUT', `/api/groups/${found.id}`, body);
  else await account.call('POST', '/api/groups', body);
}

/** An apply that is not finished, and whose commit is reverted. */
async function unfinished(all: Machines, one: Machine, at: number): Promise<string> {
  await one.write('x.yaml', FILES);
  await one.runAt(at, 'runs', 'network');
  await all.account.fault({ ...REFUSED, times: 1 });
  expectCode(await one.apply('--concurrency', '1'), 4);
  git(one.folder, 'revert', '--no-edit', 'HEAD');
  git(one.folder, 'push', '--quiet', 'origin', 'HEAD:main');
  const { stdout } = await one.run('runs', 'network', '--format', 'json');
  const [{ run } = {}] = (JSON.parse(stdout) as { runs: JsonObject[] }).runs;
  return String(run).slice(0, 8);
}

test(
  'an object is attributed to the apply whose journal shows its creation, and a member to the newest apply that added it',
  { tags: 'variation' },
  () =>
    machines(async all => {
      for (const name of ['ada', 'bob']) await all.account.enrol(name);
      const one = await all.machine('one');
      await one.declare('a');
      expectCode(await one.apply(), 0);
      await setOps(all, 'ada');
      const first = await unfinished(all, one, 60_000);
      expect(cutNewest(all, 'send')).toBe(first);
      const two = await all.machine('two');
      await two.runAt(120_000, 'runs', 'network');
      expectCode(await two.apply(), 0);
      await setOps(all, 'ada');
      const second = await unfinished(all, two, 180_000);
      expect(second).not.toBe(first);
      for (const command of ['plan', 'drift']) {
        const { stderr } = await two.run(command, 'network', '--base', 'auto');
        expect(stderr).toContain(`LEFT_BY_RUN group.con was created by the apply ${second}`);
        expect(stderr).toContain(`LEFT_BY_RUN group.ops was changed by the apply ${second}`);
        expect(stderr.split('LEFT_BY_RUN')).toHaveLength(3);
      }
    }, 'netbird'),
);
