// A journal that is emptied during its run: the remote keeps the good copy, from which another machine continues.
import { readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { expectCode, FILES, type Machine, machines } from './sharedMachines.ts';

vi.setConfig({ testTimeout: 60_000 });

function emptyJournals({ folder }: Machine): void {
  const journals = `${folder}-journals`;
  for (const name of readdirSync(journals, { recursive: true }).map(String))
    if (name.endsWith('.jsonl')) truncateSync(join(journals, name));
}

test('a journal that is emptied during the run ends it, and another machine resumes it from the copy', () =>
  machines(async all => {
    const one = await all.machine('one');
    await one.declare('a', 'b', 'c');
    let writes = 0;
    all.account.onAnswer(({ method }) => {
      if (method !== 'POST') return;
      writes += 1;
      if (writes === 1) emptyJournals(one);
    });
    const ended = await one.run(...FILES, '--yes', '--concurrency', '1');
    expectCode(ended, 4);
    expect(ended.stderr).toContain('was emptied or shortened during the run');
    expect(ended.stderr).toContain('the Git remote has a copy');
    expect(await all.groups()).toHaveLength(1);
    const two = await all.machine('two');
    expectCode(await two.runAt(60_000, 'apply', 'network', '--resume', '--yes'), 0);
    expect(await all.groups()).toEqual(['a', 'b', 'c']);
  }));

test('a journal that is emptied by the last write stays whole at the remote', () =>
  machines(async all => {
    const one = await all.machine('one');
    await one.declare('a');
    all.account.onAnswer(({ method }) => {
      if (method === 'POST') emptyJournals(one);
    });
    const ended = await one.apply();
    expect(ended.stderr).toContain('was emptied or shortened during the run');
    const two = await all.machine('two');
    const { stdout } = await two.run('runs', 'network', '--format', 'json');
    expect(JSON.parse(stdout).runs).toMatchObject([{ verified: true, digest: expect.any(String) }]);
  }));
