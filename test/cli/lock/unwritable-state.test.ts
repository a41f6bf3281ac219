// A state folder that cannot be written ends an apply before anything else is missed.
import { writeFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { expectCode, FILES, machines } from './sharedMachines.ts';

vi.setConfig({ testTimeout: 60_000 });

test('a state folder that cannot be written is named, also with a base and the lock in the remote', () =>
  machines(async all => {
    const one = await all.machine('one');
    await one.declare('a');
    expectCode(await one.apply(), 0);
    await one.declare('a', 'b');
    const state = `${one.folder}-file`;
    await writeFile(state, 'no folder');
    const unwritable = { MESHFORM_JOURNALS: '', XDG_STATE_HOME: state };
    const refused = await one.runWith(unwritable, ...FILES, '--yes');
    expectCode(refused, 69);
    expect(refused.stderr).toContain(`${state}/meshform/journals`);
    for (const argv of [
      ['apply', 'network', '--resume', '--yes'],
      ['apply', 'network', '--resume', '--yes', '--lock', 'file'],
      ['base', 'record', 'network'],
    ]) {
      const other = await one.runWith(unwritable, ...argv);
      expectCode(other, 69);
      expect(other.stderr).toContain(`${state}/meshform/journals`);
    }
    const chosen = await one.runWith({ MESHFORM_JOURNALS: state }, ...FILES, '--yes');
    expectCode(chosen, 64);
    expect(chosen.stderr).toContain(state);
    expect(await all.groups()).toEqual(['a']);
  }));
