// `access_thresholds`: how much access a plan may change before a person accepts it.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { someOf } from '../../support/variations.ts';
import {
  BEFORE,
  idOf,
  meshformOf,
  NARROWED,
  refused,
  started,
  TO_COME,
  WIDENED,
} from './gatedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

let account: TestAccount;
beforeEach(async () => {
  account = await startAccount();
});
afterEach(() => account.close());

const at = (thresholds: string) => ({ 'meshform.yaml': `access_thresholds: ${thresholds}\n` });

test('below the thresholds, gains and losses stay notes', () =>
  started(account, async ({ want, run }) => {
    await want(`${WIDENED}`, at('{ gained: 4, lost: 0 }'));
    const { code, stdout, stderr } = await run('plan');
    expect(code).toBe(0);
    expect(stderr).toContain('note ACCESS_GAINED');
    expect(stdout).toContain(`Access guards

  thresholds: 2 pairs gained of at most 4, 0 pairs lost of at most 0
`);
    expect(stdout).not.toContain('Hazards');
    expect((await run('apply', '--yes')).code).toBe(0);
  }));

test.each(
  someOf(
    [
      ['WIDENS_ACCESS', WIDENED, '{ gained: 1 }', 'gains access for 2 pairs'],
      ['NARROWS_ACCESS', NARROWED, '{ lost: 1 }', 'loses access for 2 pairs'],
    ],
    1,
  ),
)(
  'above the thresholds, %s is a hazard, which a flag or the project allows',
  (hazard, wanted, limits, says) =>
    started(account, async folder => {
      const { want, run } = folder;
      await want(wanted, at(limits));
      const { code, stdout, stderr } = await run('plan', '--out', 'plan.json');
      expect(code).toBe(0);
      expect(stderr).not.toContain(`note ${hazard}`);
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(says);
      expect(stdout).toContain(`An apply needs: --allow ${hazard}\n`);
      expect((await run('show', 'plan.json')).stdout).toContain(`--allow ${hazard}\n`);
      const { access_hazards: hazards } = meshformOf(await run('plan', '--format', 'json'));
      expect(hazards).toMatchObject([{ code: hazard, pairs: 2, allowed: false }]);
      expect((await run('plan', '--format', 'markdown')).stdout).toContain(
        `needs \`--allow ${hazard}`,
      );
      await refused(account, folder);
      const { stderr: hint } = await refused(account, folder, 'plan.json');
      expect(hint).toContain(`hint: add --allow ${hazard}\n`);
      expect((await run('apply', 'plan.json', '--allow', hazard, '--yes')).code).toBe(0);
      await want(BEFORE);
      expect(
        (await run('apply', '--prune', 'unmanaged', '--allow', 'DELETES_OBJECT', '--yes')).code,
      ).toBe(0);
      const file = `access_thresholds: ${limits}\nallow: [${hazard}]\n`;
      await want(wanted, { 'meshform.yaml': file });
      expect((await run('apply', '--yes')).code).toBe(0);
    }),
);

test('a saved plan accepts only as many gains and losses as it showed', () =>
  started(account, async folder => {
    const { want, run } = folder;
    await want(WIDENED, at('{ gained: 0 }'));
    const saved = ['--allow', 'WIDENS_ACCESS', '--out', 'plan.json'];
    expect((await run('plan', ...saved)).code).toBe(0);
    await account.enrol('eve', [await idOf(account, 'groups', 'engineers')]);
    expect((await refused(account, folder, 'plan.json')).stderr).toContain(
      'gains access for 3 pairs',
    );
    expect((await run('apply', 'plan.json', '--allow', 'WIDENS_ACCESS', '--yes')).code).toBe(0);
  }));

test('access that depends on an unreadable list exceeds every threshold', () =>
  started(account, async folder => {
    const { want, run } = folder;
    await want(WIDENED, at('{ gained: 100, lost: 100 }'));
    await account.fault({ path: '/api/routes', effect: 'status', status: 403, times: 2 });
    const { stdout } = await run('plan');
    expect(stdout).toContain('An apply needs: --allow WIDENS_ACCESS --allow NARROWS_ACCESS\n');
    const { stderr } = await refused(account, folder);
    expect(stderr).toMatch(
      /the access that the plan gains cannot be counted: routes could not be read/,
    );
  }));

test('a new source group without machines counts as one machine', () =>
  started(account, async folder => {
    const { want, run } = folder;
    await want(TO_COME, at('{ gained: 0 }'));
    expect((await run('plan')).stdout.replaceAll(/\s+/g, ' ')).toContain(
      'the plan gains access for 1 pair of a machine and a destination',
    );
    await refused(account, folder);
    await want(TO_COME, at('{ gained: 1 }'));
    expect((await run('apply', '--yes')).code).toBe(0);
  }));

const PORT = (isEnabled: boolean) => `${BEFORE}ingress_peers:
  - { peer_id: gw, fallback: true }
peers:
  - name: jump
    ingress_ports:
      - { name: ssh, enabled: ${isEnabled}, port_ranges: [{ start: 22, end: 22, protocol: tcp }] }
`;

test('opening or closing a port to the internet exceeds every threshold', () =>
  started(account, async folder => {
    const { want, run } = folder;
    await want(PORT(true), at('{ gained: 1000, lost: 1000 }'));
    const { stdout } = await run('plan');
    expect(stdout).toContain(
      'thresholds: 1 pair gained of at most 1000, 0 pairs lost of at most 1000; access of the internet',
    );
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'WIDENS_ACCESS the plan gains access of the internet, which no value of `access_thresholds` allows: internet → peer/jump tcp/22',
    );
    await refused(account, folder);
    expect((await run('apply', '--yes', '--allow', 'WIDENS_ACCESS')).code).toBe(0);
    await want(PORT(false), at('{ gained: 1000, lost: 1000 }'));
    await refused(account, folder, '--allow', 'WIDENS_ACCESS');
    expect((await run('apply', '--yes', '--allow', 'NARROWS_ACCESS')).code).toBe(0);
  }));

test('a new account has no access hazards', () =>
  inFolder(async cwd => {
    await writeFile(join(cwd, 'network.yaml'), BEFORE);
    const project = 'access_thresholds: { gained: 0, lost: 0 }\nguarded: [all]\n';
    await writeFile(join(cwd, 'meshform.yaml'), project);
    const { code, stdout } = await meshform(['apply', '--yes'], {
      cwd,
      env: environmentOf(account),
    });
    expect([code, stdout]).toEqual([0, expect.stringContaining('Access: new account')]);
  }));
