// A state folder that cannot be written ends an apply before anything else is missed.
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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

test.each([
  ['the state folder', 69, {}, 'set MESHFORM_JOURNALS to a folder that can be written'],
  ['a chosen folder', 64, { MESHFORM_JOURNALS: 'chosen' }, 'choose another file with --journal'],
] as const)(
  '%s that cannot be written once the apply has its lock ends the apply with its own exit code',
  (_, code, more, hint) =>
    machines(async all => {
      const one = await all.machine('one');
      await one.declare('a');
      const state = `${one.folder}-later`;
      const chosen = 'MESHFORM_JOURNALS' in more ? join(one.folder, '../chosen') : '';
      const journals = chosen || join(state, 'meshform/journals');
      const hook = join(all.remote, 'hooks/post-receive');
      const lines = [`rm -r '${journals}'/*`];
      await mkdir(join(all.remote, 'hooks'), { recursive: true });
      await writeFile(hook, `#!/bin/sh\n${lines.join('\n')}\n`);
      await chmod(hook, 0o755);
      const env = { MESHFORM_JOURNALS: chosen, XDG_STATE_HOME: state };
      const refused = await one.runWith(env, ...FILES, '--yes');
      expectCode(refused, code);
      expect(refused.stderr).toContain(hint);
      expect(await all.groups()).toEqual([]);
      const runs = await one.run('runs', 'network', '--format', 'json');
      expect(JSON.parse(runs.stdout).runs).toEqual([]);
    }),
);
