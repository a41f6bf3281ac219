// A plan without `--base auto` asks no remote, and says so if the clone shows that a remote has journals.
import { expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { expectCode, machines } from './sharedMachines.ts';

const NOTE = 'note: a remote of this clone has journals of applies';

test('plan and drift read the journals of other machines with `--base auto`, and a note says it in a clone that has fetched them', () =>
  machines(async ({ account, machine }) => {
    const one = await machine('one');
    await one.declare('a');
    expectCode(await one.apply(), 0);
    await one.declare('a', 'b', 'c');
    const fault = { method: 'POST', path: '/api/groups', effect: 'status', status: 400, times: 1 };
    await account.fault({ ...fault, nth: 2 });
    expectCode(await one.apply(), 4);
    await one.declare('a');
    const two = await machine('two');
    for (const verb of ['plan', 'drift']) {
      const blind = await two.run(verb, 'network');
      expect(blind.stderr).not.toMatch(/LEFT_BY_RUN|journals/);
      expect((await two.run(verb, 'network', '--base', 'auto')).stderr).toContain('LEFT_BY_RUN');
    }
    git(two.folder, 'fetch', '--quiet', 'origin', '+refs/meshform-*:refs/meshform-*');
    for (const verb of ['plan', 'drift']) {
      expect((await two.run(verb, 'network')).stderr).toContain(NOTE);
      const read = await two.run(verb, 'network', '--base', 'auto');
      expect(read.stderr).not.toContain(NOTE);
      expect(read.stderr).toContain('LEFT_BY_RUN');
    }
  }));
