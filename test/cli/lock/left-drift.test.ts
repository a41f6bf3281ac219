// What an unfinished apply left and no file declares is drift, in every form of the report, until somebody decides about it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { isObject, type JsonObject } from '../../../src/model/value.ts';
import { git } from '../../support/git.ts';
import { expectCode, type Machine, type Machines, machines } from './sharedMachines.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 90_000 });

const LATE =
  'posture_checks: [{ name: late, checks: { nb_version_check: { min_version: 0.60.0 } } }]\n';
const REFUSED = { method: 'POST', path: '/api/posture-checks', effect: 'status', status: 400 };
const DRIFT = ['drift', 'network', '--base', 'auto'];
const CREATED = 'was created by an apply that was not finished, and no file declares it';

/** An apply that could not do everything, and whose change was reverted; resolves to its run. */
async function reverted(all: Machines, one: Machine, text: string): Promise<string> {
  await one.declare('a');
  expectCode(await one.apply(), 0);
  await one.write('x.yaml', `${text}${LATE}`);
  await one.runAt(60_000, 'runs', 'network');
  await all.account.fault({ ...REFUSED, times: 1 });
  expectCode(await one.apply('--concurrency', '1'), 4);
  git(one.folder, 'revert', '--no-edit', 'HEAD');
  git(one.folder, 'push', '--quiet', 'origin', 'HEAD:main');
  const { stdout } = await one.run('runs', 'network', '--format', 'json');
  const [{ run } = {}] = (JSON.parse(stdout) as { runs: JsonObject[] }).runs;
  return String(run);
}

test('drift ends with 2 in every form while an apply has left a group, and with 0 once somebody keeps it', () =>
  machines(async all => {
    const one = await all.machine('one');
    const run = await reverted(all, one, 'groups: [{ name: con }]\n');
    const text = await one.run(...DRIFT, '--metrics', 'drift.prom');
    expectCode(text, 2);
    expect(text.stdout).toContain(`# group.con ${CREATED}`);
    expect(text.stdout).toContain('1 of these left by unfinished applies');
    expect(text.stdout.replaceAll(/\s+/g, ' ')).toContain(
      `the apply ${run.slice(0, 8)}, which was not finished, left it`,
    );
    const metrics = await readFile(join(one.folder, 'drift.prom'), 'utf8');
    expect(metrics).toMatch(/^meshform_drift_objects\{.*kind="group".*\} 1$/m);
    for (const format of ['markdown', 'comment', 'junit']) {
      const ended = await one.run(...DRIFT, '--format', format);
      expectCode(ended, 2);
      expect(ended.stdout, format).toContain(CREATED);
    }
    const json = await one.run(...DRIFT, '--format', 'json');
    expectCode(json, 2);
    const document = JSON.parse(json.stdout) as JsonObject;
    expect(document.resource_drift).toMatchObject([{ address: 'group.con' }]);
    expectCode(await one.run('apply', 'network', '--abandon', run, '--keep-left', '--yes'), 0);
    const kept = await one.run(...DRIFT);
    expectCode(kept, 0);
    expect(kept.stdout).toContain('No drift.');
  }, 'netbird'));

test('an acknowledgement of what an apply left does not fail drift', { tags: 'variation' }, () =>
  machines(async all => {
    const one = await all.machine('one');
    await reverted(all, one, 'groups: [{ name: con }]\n');
    const entry = '{ object: group/con, reason: we look at it, until: 2026-12-31 }';
    await one.write('meshform.yaml', `account: ${all.id}\nacknowledge: [${entry}]\n`);
    const ended = await one.run(...DRIFT, '--format', 'json');
    expectCode(ended, 0);
    const { meshform } = JSON.parse(ended.stdout) as JsonObject;
    expect(isObject(meshform) && meshform.acknowledged).toMatchObject([{ address: 'group.con' }]);
  }, 'netbird'),
);
