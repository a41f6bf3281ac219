// `--store` of `plan`, `apply` and `plan check`: removing access that is in use is a hazard.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { StoreWriter } from '../../../src/read/observations/writeStore.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import {
  addTo,
  flowAt,
  HOUR,
  START,
  seenAt,
  account as usedAccount,
} from '../../usage/store/storedRecords.ts';

let account: TestAccount;
beforeEach(async () => {
  account = await startAccount();
});
afterEach(() => account.close());

const LISTS = {
  peers: 'peers',
  groups: 'groups',
  policies: 'policies',
  posture_checks: 'posture-checks',
  networks: 'networks',
  routes: 'routes',
};

const FILES = (ports: string, lifecycle = '') => `groups: [{ name: staff }, { name: servers }]
policies:
  - name: web
    rules:
      - { name: web, protocol: tcp, ports: [${ports}], sources: [staff], destinations: [servers] }
${lifecycle}`;

interface Used {
  readonly cwd: string;
  /** Writes the files with these ports of the policy. */
  readonly write: (ports: string) => Promise<void>;
  readonly run: (...argv: readonly string[]) => ReturnType<typeof meshform>;
}

/** An applied policy with the ports 22 and 443, of which a store has a flow to 443. */
const withUsed = (use: (used: Used) => Promise<void>) =>
  inFolder(async cwd => {
    const mia = await account.enrol('mia');
    const web = await account.enrol('web');
    const options = { cwd, env: environmentOf(account), now: START + 3 * HOUR };
    const write = (text: string) => writeFile(join(cwd, 'network.yaml'), text);
    const members = FILES('"22", "443"')
      .replace('{ name: staff }', '{ name: staff, peers: [mia] }')
      .replace('{ name: servers }', '{ name: servers, peers: [web] }');
    await write(members);
    expect((await meshform(['apply', '--yes'], options)).code).toBe(0);
    const [group = {}] = ((await account.call('GET', '/api/policies')) as JsonObject[]).filter(
      ({ name }) => name === 'Default',
    );
    if (typeof group.id === 'string') await account.call('DELETE', `/api/policies/${group.id}`);

    const answers: JsonObject = Object.fromEntries(
      await Promise.all(
        Object.entries(LISTS).map(
          async ([list, path]) => [list, await account.call('GET', `/api/${path}`)] as const,
        ),
      ),
    );
    const identity = { server: account.url, account: 'a1', hasPeople: false };
    const store = await StoreWriter.open(join(cwd, '.traffic'), identity);
    const ends = {
      reporter_id: String(web.id),
      policy: null,
      source: { id: String(mia.id), type: 'PEER', address: `${mia.ip}:40000` },
      destination: { id: String(web.id), type: 'PEER', address: `${web.ip}:443` },
    };
    await addTo(store, seenAt(START, [], answers));
    // Both ends report the first flow.
    const flows = [
      flowAt('f1', START + HOUR, ends),
      flowAt('f1', START + HOUR, { ...ends, reporter_id: String(mia.id), direction: 'EGRESS' }),
      flowAt('f2', START + HOUR, ends),
    ];
    await addTo(store, seenAt(START + 2 * HOUR, flows, answers));
    await store.close();

    await use({
      cwd,
      write: ports => write(members.replace('"22", "443"', ports)),
      run: (...argv) => meshform(argv, options),
    });
  });

const USE = ['--store', '.traffic'];
const ALLOW = ['--allow', 'CUTS_USED_ACCESS'];

test('a plan says how many observed flows it would have stopped, and --allow accepts that', () =>
  withUsed(async ({ write, run }) => {
    await write('"443"');
    expect((await run('plan', ...USE)).stdout).not.toContain('CUTS_USED_ACCESS');
    await write('"22"');
    const { stdout } = await run('plan', ...USE);
    expect(stdout).toContain('CUTS_USED_ACCESS');
    expect(stdout).toMatch(/it would have stopped 2 flows of 1 machine since 2026-10-31/);
    const allowed = await run('plan', ...USE, ...ALLOW, '--format', 'json');
    expect(JSON.parse(allowed.stdout).meshform.access_findings).toMatchObject([
      { code: 'CUTS_USED_ACCESS', who: 'peer/mia', where: 'peer/web', allowed_by: 'flag' },
    ]);
    expect((await run('plan', '--since', '30d')).code).toBe(64);
  }));

test('an apply of files that stops observed flows is refused without --allow', () =>
  withUsed(async ({ write, run }) => {
    await write('"22"');
    const refused = await run('apply', '--yes', ...USE);
    expect([refused.code, refused.stderr]).toEqual([
      6,
      expect.stringContaining('--allow CUTS_USED_ACCESS'),
    ]);
    expect((await run('apply', '--yes', '--since', '30d')).code).toBe(64);
    expect((await run('apply', '--resume', ...USE)).code).toBe(64);
    expect((await run('apply', '--yes', ...USE, ...ALLOW)).code).toBe(0);
  }));

test('a plan that was saved without a store is checked against a store by plan check and apply', () =>
  withUsed(async ({ write, run }) => {
    await write('"22"');
    expect((await run('plan', '--out', 'plan.json')).code).toBe(0);
    expect((await run('plan', 'check', 'plan.json')).stdout).not.toContain('CUTS_USED_ACCESS');
    const checked = await run('plan', 'check', 'plan.json', ...USE);
    // Nobody could accept it when the plan was made, so an apply refuses it too.
    expect([checked.code, checked.stderr]).toEqual([
      6,
      expect.stringContaining('CUTS_USED_ACCESS'),
    ]);
    expect((await run('apply', 'plan.json', '--yes', ...USE)).code).toBe(6);
    expect((await run('apply', 'plan.json', '--yes', ...USE, ...ALLOW)).code).toBe(0);
  }));

/** A store of an account with another built-in group. */
async function foreignStore(cwd: string): Promise<void> {
  const identity = { server: 'https://other.example.com', account: 'a2', hasPeople: false };
  const store = await StoreWriter.open(join(cwd, '.foreign'), identity);
  const groups = [{ id: 'g-other', name: 'All', peers: ['m1', 'm2'] }];
  const none = { posture_checks: [], networks: [], routes: [] };
  const answers = { ...usedAccount(), ...none, groups };
  await addTo(store, seenAt(START, [], answers));
  await addTo(store, seenAt(START + 2 * HOUR, [flowAt('f1', START + HOUR)], answers));
  await store.close();
}

test('a store of another account is an error of every command that compares it with an account or with files', () =>
  withUsed(async ({ cwd, write, run }) => {
    await foreignStore(cwd);
    const FOREIGN = ['--store', '.foreign'];
    await write('"22"');
    expect((await run('plan', '--out', 'plan.json')).code).toBe(0);
    const all = ((await account.call('GET', '/api/groups')) as JsonObject[]).find(
      ({ name }) => name === 'All',
    );
    await writeFile(join(cwd, 'meshform.yaml'), `account: ${all?.id}\n`);
    expect((await run('export', '--state', 'saved.json')).code).toBe(0);
    for (const argv of [
      ['access', 'used'],
      ['access', '--html', 'page.html'],
      ['access', '--live', '--html', 'page.html'],
      ['access', '--state', 'saved.json', '--html', 'page.html'],
      ['plan'],
      ['apply', '--yes'],
      ['apply', 'plan.json', '--yes'],
      ['plan', 'check', 'plan.json'],
      ['tighten'],
    ]) {
      const { code, stderr } = await run(...argv, ...FOREIGN);
      expect({ argv, code, stderr }).toEqual({
        argv,
        code: 69,
        stderr: expect.stringContaining('the observed traffic belongs to the account `g-other`'),
      });
    }
  }));

test('the number of stopped flows that a saved plan accepted stays accepted', () =>
  withUsed(async ({ write, run }) => {
    await write('"22"');
    expect((await run('plan', '--out', 'plan.json', ...USE, ...ALLOW)).code).toBe(0);
    expect((await run('apply', 'plan.json', '--yes', ...USE)).code).toBe(0);
  }));

test('`access used` and `tighten` count the flows that the plan would have stopped', () =>
  withUsed(async ({ run }) => {
    const used = JSON.parse((await run('access', 'used', ...USE, '--format', 'json')).stdout);
    expect([used.observed.flows, used.rules[0].use.flows]).toEqual([2, 2]);
    const found = JSON.parse((await run('tighten', ...USE, '--format', 'json')).stdout);
    expect(found.observed.flows).toBe(2);
  }));

const pageOf = async (cwd: string, name: string) => {
  const text = await readFile(join(cwd, name), 'utf8');
  return text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
};

test('the page of a plan says when a rule was last used, and what the plan would have stopped', () =>
  withUsed(async ({ cwd, write, run }) => {
    await write('"22"');
    expect((await run('plan', '--html', 'used.html', ...USE)).code).toBe(0);
    const page = await pageOf(cwd, 'used.html');
    const stopped = 'the plan would have stopped 2 flows of 1 machine since 2026-10-31';
    expect(page).toContain(
      `policy &quot;web&quot;, rule &quot;web&quot;: last used 2026-11-01, on 1 of 1 day; ${stopped}`,
    );
    expect(page).toContain('Posture checks Last used');
    expect(page).toContain(`none 2026-11-01, on 1 of 1 day ${stopped}`);
    expect((await run('plan', '--html', 'plain.html')).code).toBe(0);
    expect(await pageOf(cwd, 'plain.html')).not.toContain('Last used');
  }));

test('a page about access has a column of when each rule was last used', () =>
  withUsed(async ({ cwd, write, run }) => {
    await write('"22", "443"');
    for (const state of [['--live'], []]) {
      const name = `access${state.length}.html`;
      const { code, stderr } = await run('access', '--html', name, ...state, ...USE);
      expect(code, stderr).toBe(0);
      const page = await pageOf(cwd, name);
      expect(page).toContain('Posture checks Last used');
      expect(page).toContain('none 2026-11-01, on 1 of 1 day');
    }
    const without = await run('access', 'from', 'group/staff', '--live', ...USE);
    expect(without).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('flags of `access used` and `access --html`'),
    });
  }));
