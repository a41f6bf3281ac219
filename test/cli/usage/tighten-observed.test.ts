// `tighten --store`: findings of what was observed, and stores from which nothing can be said.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { StoreWriter } from '../../../src/read/observations/writeStore.ts';
import { inFolder, meshform } from '../../support/cli.ts';
import { expectDescribed } from '../../support/described.ts';
import { git } from '../../support/git.ts';
import { account, addTo, flowAt, HOUR, START, seenAt } from '../../usage/store/storedRecords.ts';

const DAY = 24 * HOUR;
const DAYS = 31;
const WHOLE: JsonObject = { ...account(), posture_checks: [], networks: [], routes: [] };
const FILE = `groups: [{ name: all }]
policies:
  - name: policy p1
    rules: [{ name: web, protocol: tcp, ports: ["443"], sources: [all], destinations: [all] }]
`;

async function withStore(
  use: (cwd: string) => Promise<void>,
  isUsed: boolean,
  answers: JsonObject = WHOLE,
): Promise<void> {
  await inFolder(async cwd => {
    await mkdir(join(cwd, 'net'));
    await writeFile(join(cwd, 'net/network.yaml'), FILE);
    const identity = { server: 'https://example.com', account: 'a1', hasPeople: false };
    const store = await StoreWriter.open(join(cwd, 'store'), identity);
    for (let day = 0; day < DAYS; day++) {
      const time = START + day * DAY + HOUR;
      const flows = isUsed ? [flowAt(`f${day}`, time - 30_000)] : [];
      await addTo(store, seenAt(time, flows, answers));
    }
    await store.close();
    await use(cwd);
  });
}

const now = START + DAYS * DAY;

test('the findings of tighten include what was observed', () =>
  withStore(async cwd => {
    const { code, stdout } = await meshform(
      ['tighten', 'net', '--store', 'store', '--since', '60d', '--format', 'json'],
      { cwd, now },
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ observed: { days: 30 }, findings: [] });
    expectDescribed(stdout, 'tightening.schema.json');
  }, true));

test('--since counts back from the last observation, so that a daily job evaluates whole days', () =>
  withStore(async cwd => {
    const argv = ['tighten', 'net', '--store', 'store', '--since', '30d', '--format', 'json'];
    const { stdout, stderr } = await meshform(argv, { cwd, now: now + DAY });
    expect(JSON.parse(stdout)).toMatchObject({ observed: { days: 30 } });
    expect(stderr).toBe('');
    const { stderr: late } = await meshform(argv, { cwd, now: now + 9 * DAY });
    expect(late).toBe(
      'the last observation in the store `store` was on 2026-12-01: what was used since then is not known\n',
    );
  }, true));

/** The account with a second policy, which nobody uses. */
const [WEB] = WHOLE.policies as JsonObject[];
const SHELL = {
  ...WEB,
  id: 'p2',
  name: 'shell',
  rules: [
    {
      id: 'r2',
      name: 'ssh',
      protocol: 'tcp',
      ports: ['22'],
      sources: ['g1'],
      destinations: ['g1'],
    },
  ],
};
const TWO_POLICIES = `${FILE}  - name: shell
    rules: [{ name: ssh, protocol: tcp, ports: ["22"], sources: [all], destinations: [all] }]
`;
const TEST = `access_tests: [{ name: admins, from: group/all, allow: ["group/all:tcp/22"] }]\n`;

test.each([
  ['guards', { 'meshform.yaml': 'account: a1\nguarded: ["group/all:tcp/22"]\n' }],
  ['tests', { 'meshform.yaml': 'account: a1\n', 'tests.yaml': TEST }],
])('tighten keeps access that another folder of the account %s', (_, other) =>
  withStore(
    async cwd => {
      await writeFile(join(cwd, 'net/network.yaml'), TWO_POLICIES);
      const tightened = async () => {
        const argv = ['tighten', 'net', '--store', 'store', '--format', 'json'];
        const { code, stdout, stderr } = await meshform(argv, { cwd, now });
        expect(code, stderr).toBe(0);
        return JSON.parse(stdout);
      };
      git(cwd, 'init', '--quiet');
      await writeFile(join(cwd, 'net/meshform.yaml'), 'account: a1\n');
      const alone = await tightened();
      expect(alone.kept).toEqual([]);
      expect(JSON.stringify(alone.findings)).toContain('shell');
      await mkdir(join(cwd, 'other'));
      for (const [name, text] of Object.entries({
        ...other,
        'groups.yaml': 'groups: [{ name: x }]\n',
      }))
        await writeFile(join(cwd, 'other', name), text);
      git(cwd, 'add', 'net', 'other');
      git(cwd, 'commit', '--quiet', '--message', 'Two folders');
      const { findings, kept } = await tightened();
      expect(findings).toEqual([]);
      expect(kept).toHaveLength(1);
    },
    true,
    { ...WHOLE, policies: [WEB, SHELL] as JsonObject[] },
  ),
);

test('tighten ends with 69 and a sentence if there is no store, or the store is empty or has no reporting machines', async () => {
  await withStore(async cwd => {
    const { code, stderr } = await meshform(['tighten', 'net', '--store', 'store'], { cwd, now });
    expect({ code, stderr }).toEqual({
      code: 69,
      stderr: expect.stringContaining('no machine reported any traffic'),
    });
    const none = await meshform(['tighten', 'net', '--store', 'none'], { cwd, now });
    expect(none).toMatchObject({
      code: 69,
      stderr: expect.stringContaining('it has no observations'),
    });
    expect(await meshform(['tighten', 'net', '--since', '30d'], { cwd })).toMatchObject({
      code: 64,
    });
  }, false);
});
