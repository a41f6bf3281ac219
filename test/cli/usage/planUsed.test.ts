// `plan --store`: removing access that is in use is a hazard.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { StoreWriter } from '../../../src/read/observations/writeStore.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { addTo, flowAt, HOUR, START, seenAt } from '../../usage/store/storedRecords.ts';

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

test('the plan says how many flows it would have stopped, and --allow accepts that', () =>
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
    await addTo(store, seenAt(START + 2 * HOUR, [flowAt('f1', START + HOUR, ends)], answers));
    await store.close();

    const plan = (...more: readonly string[]) =>
      meshform(['plan', '--store', '.traffic', ...more], options);
    await write(members.replace('"22", "443"', '"443"'));
    expect((await plan()).stdout).not.toContain('CUTS_USED_ACCESS');
    await write(members.replace('"22", "443"', '"22"'));
    const { stdout } = await plan();
    expect(stdout).toContain('CUTS_USED_ACCESS');
    expect(stdout).toMatch(/it would have stopped 1 flow of 1 machine since 2026-10-31/);
    const allowed = await plan('--allow', 'CUTS_USED_ACCESS', '--format', 'json');
    expect(JSON.parse(allowed.stdout).meshform.access_findings).toMatchObject([
      { code: 'CUTS_USED_ACCESS', who: 'peer/mia', where: 'peer/web', allowed_by: 'flag' },
    ]);
    expect((await meshform(['plan', '--since', '30d'], options)).code).toBe(64);
  }));
