// `drift --metrics` writes a file for Prometheus after every run, however it ends.
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { applyFiles, found, type Team, team } from '../../attribution/team.ts';
import { samplesIn } from '../../watch/exposition.ts';

const FILES = 'groups: [{ name: crew }, { name: "a \\"b\\" c" }]';

async function figures({ cwd }: Team, file: string): Promise<Record<string, number>> {
  const samples = samplesIn(await readFile(join(cwd, file), 'utf8'));
  return Object.fromEntries(
    samples.map(({ name, labels, value }) => [
      [name.replace('meshform_drift_', ''), labels.kind].filter(Boolean).join(' '),
      value,
    ]),
  );
}

test('the metrics file has the last success, drifted objects by kind, requests and the duration', () =>
  team(async world => {
    await applyFiles(world, FILES);
    const [ada] = world.people;
    const run = (env = {}) => world.run(['drift', '.', '--metrics', 'drift.prom'], env);
    expect((await run()).code).toBe(0);
    const first = await figures(world, 'drift.prom');
    expect(first).toMatchObject({
      last_run_readable: 1,
      'objects group': 0,
      last_success_age_seconds: 0,
    });
    const before = world.account.requests.length;
    const { id } = await found(ada.call, '/api/groups', 'crew');
    await ada.call('DELETE', `/api/groups/${id}`);
    world.pass(60_000);
    expect((await run()).code).toBe(2);
    const second = await figures(world, 'drift.prom');
    expect(second).toMatchObject({ 'objects group': 1, 'objects policy': 0 });
    // Two of the requests since were made by hand.
    expect(second.last_run_requests).toBe(world.account.requests.length - before - 2);
    world.pass(60_000);
    expect((await run({ MESHFORM_TOKEN: 'nbp_wrong' })).code).toBe(1);
    const third = await figures(world, 'drift.prom');
    expect(third).toMatchObject({
      last_run_readable: 0,
      'objects group': 1,
      last_success_age_seconds: 60,
      last_success_timestamp_seconds: second.last_success_timestamp_seconds,
    });
    expect((await stat(join(world.cwd, 'drift.prom'))).mode & 0o444).toBe(0o444);
    expect((await readdir(world.cwd)).filter(name => name.endsWith('.part'))).toEqual([]);
  }));

test('the metrics file replaces no other file', () =>
  team(async world => {
    await applyFiles(world, FILES);
    const ended = await world.run(['drift', '--metrics', 'network.yaml']);
    expect(ended.code).toBe(64);
    expect(await readFile(join(world.cwd, 'network.yaml'), 'utf8')).toBe(FILES);
    await writeFile(join(world.cwd, 'drift.prom'), '# HELP meshform_drift_last');
    expect((await world.run(['drift', '--metrics', 'drift.prom'])).code).toBe(0);
  }));
