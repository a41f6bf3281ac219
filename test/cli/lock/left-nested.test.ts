// What an unfinished apply created in an object that it found: every command that looks at the account tells of it.
import { expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { git } from '../../support/git.ts';
import { expectCode, machines } from './sharedMachines.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 90_000 });

const NESTED = `networks:
  - name: office
    resources: [{ name: lan, address: 10.1.0.0/16, groups: [a] }]
    routers: [{ peer: ada, masquerade: true, metric: 10 }]
posture_checks: [{ name: late, checks: { nb_version_check: { min_version: 0.60.0 } } }]
`;
const REFUSED = { method: 'POST', path: '/api/posture-checks', effect: 'status', status: 400 };

test(
  'objects that an apply created in an existing network are reported by plan, drift and expire, even after closing',
  { tags: 'variation' },
  () =>
    machines(async all => {
      await all.account.enrol('ada');
      const one = await all.machine('one');
      await one.declare('a');
      expectCode(await one.apply(), 0);
      await all.account.call('POST', '/api/networks', { name: 'office' });
      await one.write('x.yaml', NESTED);
      await one.runAt(60_000, 'runs', 'network');
      await all.account.fault({ ...REFUSED, times: 1 });
      expectCode(await one.apply('--concurrency', '1'), 4);
      git(one.folder, 'revert', '--no-edit', 'HEAD');
      git(one.folder, 'push', '--quiet', 'origin', 'HEAD:main');
      const { stdout } = await one.run('runs', 'network', '--format', 'json');
      const [{ run } = {}] = (JSON.parse(stdout) as { runs: JsonObject[] }).runs;
      const base = ['--base', 'auto'];
      const expectTold = async (): Promise<void> => {
        for (const command of [['plan'], ['drift'], ['expire', '--yes']]) {
          const [name = '', ...more] = command;
          const { stderr } = await one.run(name, 'network', ...more, ...base);
          for (const what of ['network_resource.office/lan', 'network_router["office/peer=ada"]'])
            expect(stderr, name).toContain(`LEFT_BY_RUN ${what} was created by the apply`);
        }
      };
      await expectTold();
      const drift = await one.run('drift', 'network', '--format', 'json', ...base);
      const { meshform } = JSON.parse(drift.stdout) as { meshform: Record<string, JsonObject[]> };
      const codes = meshform.diagnostics?.map(({ code }) => code);
      expect([drift.code, codes]).toEqual([2, ['LEFT_BY_RUN', 'LEFT_BY_RUN']]);
      expect(meshform.unfinished).toMatchObject([{ run }]);
      expectCode(await one.run('apply', 'network', '--abandon', String(run), '--yes'), 0);
      await expectTold();
    }, 'netbird'),
);
