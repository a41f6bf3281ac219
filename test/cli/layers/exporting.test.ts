// An export into the last layer edits no other layer.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { expectCode, teams } from '../bases/teams.ts';

vi.setConfig({ testTimeout: 60_000 });

const BASE = `groups:
  - name: staff
posture_checks:
  - { name: c, description: a, checks: { nb_version_check: { min_version: 0.60.0 } } }
`;
const PROD = 'groups:\n  - name: on-call\n';

test('what another layer has is not edited', () =>
  teams(async ({ commit, run, id, account, cwd }) => {
    await commit({
      'base/groups.yaml': BASE,
      'prod/meshform.yaml': `account: ${id}\nlayers: [../base, .]\n`,
      'prod/groups.yaml': PROD,
    });
    expectCode(await run(['apply', 'prod', '--yes']), 0);
    const [check] = (await account.call('GET', '/api/posture-checks')) as unknown as {
      id: string;
    }[];
    await account.call('PUT', `/api/posture-checks/${check?.id}`, {
      ...check,
      description: 'b',
    } as never);
    const checked = await run(['export', '--check', 'prod']);
    expectCode(checked, 2);
    expect(checked.stdout).toContain('posture_check.c has changed in the account');
    const written = await run(['export', '--out', 'prod']);
    expectCode(written, 2);
    expect(written.stderr).toContain('base/groups.yaml:4:5 warning OBJECT_STUCK');
    expect(written.stderr).toContain('it is in another layer');
    expect(await readFile(join(cwd, 'base/groups.yaml'), 'utf8')).toBe(BASE);
    expect(await readFile(join(cwd, 'prod/groups.yaml'), 'utf8')).toBe(PROD);
  }));
