// `runs`, of a run whose journal on this machine has lines that the copy at the remote lacks.
import { expect, test, vi } from 'vitest';
import { cutNewest } from './cutJournals.ts';
import { expectCode, type Machine, machines } from './sharedMachines.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 60_000 });

const REFUSED = { method: 'POST', path: '/api/groups', effect: 'status', status: 400, times: 1 };

async function shown(machine: Machine): Promise<unknown[]> {
  const ended = await machine.run('runs', 'network', '--format', 'json');
  expectCode(ended, 0);
  return (JSON.parse(ended.stdout) as { runs: unknown[] }).runs;
}

test('the machine with the longer journal shows its additional lines, until somebody else closes the run', () =>
  machines(async all => {
    const one = await all.machine('one');
    await one.declare('a', 'b', 'c');
    await all.account.fault({ ...REFUSED, nth: 3 });
    expectCode(await one.apply('--concurrency', '1'), 4);
    const two = await all.machine('two');
    const run = cutNewest(all, 'end');
    expect(await shown(two)).toMatchObject([{ done: 0, actions: 3, outcome: 'interrupted' }]);
    expect(await shown(one)).toMatchObject([{ done: 2, actions: 3, outcome: 'incomplete' }]);
    const plan = await one.run('runs', 'show', run, 'network');
    expect(plan.stdout).toContain('Outcome');
    expectCode(await two.run('apply', 'network', '--abandon', run), 0);
    for (const machine of [one, two])
      expect(await shown(machine)).toMatchObject([{ outcome: 'abandoned' }]);
  }));
