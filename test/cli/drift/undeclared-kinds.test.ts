// Objects of kinds that no file declares.
import { expect, test } from 'vitest';
import { expectCode, teams } from '../bases/teams.ts';

test('drift of named kinds lists their objects, although no file declares one', () =>
  teams(async ({ id, account, commit, run }) => {
    await account.call('POST', '/api/posture-checks', {
      name: 'by hand',
      description: 'somebody made it',
      checks: { nb_version_check: { min_version: '0.60.0' } },
    });
    await commit({
      'net/meshform.yaml': `account: ${id}\n`,
      'net/a.yaml': 'groups: [{ name: a }]\n',
    });
    expectCode(await run(['apply', 'net', '--yes']), 0);
    const named = await run(['drift', 'net', '--kinds', 'posture_check']);
    expectCode(named, 0);
    expect(named.stdout).toContain('1 posture check not declared: "by hand"');
    const other = await run(['drift', 'net', '--kinds', 'group']);
    expect(other.stdout).not.toContain('by hand');
    const whole = await run(['export', '--check', 'net']);
    expectCode(whole, 2);
    expect(whole.stdout).toContain('1 posture check: "by hand"');
  }));
