// A limited run does not loosen guards in the base: what they forbid may be in the part of the change that it leaves out.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { someOf } from '../../support/variations.ts';
import { expectCode, type Teams, teams } from './teams.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 60_000 });

const GROUPS = 'groups: [{ name: staff }, { name: vault }]\n';
const policy = (name: string, rule: string) =>
  `policies: [{ name: ${name}, rules: [{ name: r, sources: [staff], destinations: [vault], ${rule} }] }]\n`;
const DENY = policy('deny', 'action: drop, protocol: tcp, ports: ["23"]');
const OPEN = policy('evil', 'protocol: tcp, ports: ["22"]');
const GUARDS = `guarded: ["group/vault:tcp/22"]
protect: [policy/deny]
thresholds: { default: { deletes: 0 } }
access_thresholds: { gained: 0 }
`;
const NOBODY =
  'access_tests: [{ name: nobody, from: group/staff, deny: ["group/vault:tcp/22"] }]\n';

/** An applied folder; then one change removes its guards, deletes what they protect, and opens what they guard. */
const loosened = (story: (all: Teams) => Promise<void>) =>
  teams(async all => {
    const { id, commit, apply, account, cwd } = all;
    for (const { id: one } of (await account.call('GET', '/api/policies')) as { id: string }[])
      await account.call('DELETE', `/api/policies/${one}`);
    const head = `account: ${id}\nname: net\n`;
    await commit({
      'net/meshform.yaml': head + GUARDS,
      'net/groups.yaml': GROUPS,
      'net/tests.yaml': NOBODY,
      'net/deny.yaml': DENY,
    });
    expectCode(await apply('net'), 0);
    await commit({ 'net/meshform.yaml': head, 'net/tests.yaml': null, 'net/deny.yaml': OPEN });
    await writeFile(join(cwd, '.git/info/exclude'), 'plan.json\n*.jsonl\n');
    await story(all);
  }, 'netbird');

const recordedGuards = async ({ run }: Teams) => {
  const shown = await run(['base', 'show', 'net', '--format', 'json']);
  return JSON.parse(shown.stdout).base.guards;
};

const STRICT = {
  guarded: [{ to: 'group/vault:tcp/22' }],
  protect: ['policy/deny'],
  thresholds: { default: { deletes: 0 } },
  access_thresholds: { gained: 0 },
  access_tests: [{ name: 'nobody', from: 'group/staff', deny: ['group/vault:tcp/22'] }],
};

// Of limits for deletions, what files without any have counts too.
const KEPT = { ...STRICT, thresholds: { default: { deletes: 0, share: 0.3 } } };

describe.concurrent('a limited run that records the base', () => {
  test.each(
    someOf(
      [
        ['--kinds', ['--kinds', 'groups']],
        ['--only', ['--only', 'group/staff']],
        ['--except', ['--except', 'policy/deny', '--except', 'policy/evil']],
      ],
      1,
    ),
  )('a limited run with %s keeps the guards that the same change removes', (_, limits) =>
    loosened(async all => {
      const { apply, names, commit } = all;
      expect(await recordedGuards(all)).toEqual(STRICT);
      const refused = await apply('net');
      expectCode(refused, 6);
      expect(refused.stderr).toContain('without --kinds, --only and --except');
      expectCode(await apply('net', limits), 0);
      expect(await recordedGuards(all)).toEqual(KEPT);
      expectCode(await apply('net'), 6);
      expect(await names('/api/policies')).toEqual(['deny']);
      // A change of the guards alone is recorded by a complete run.
      await commit({ 'net/deny.yaml': DENY });
      expectCode(await apply('net'), 0);
      expect(await recordedGuards(all)).toEqual({});
      await commit({ 'net/deny.yaml': OPEN });
      expectCode(await apply('net'), 0);
      expect(await names('/api/policies')).toEqual(['evil']);
    }),
  );

  test('a limited run from a saved plan keeps the guards as well', { tags: 'variation' }, () =>
    loosened(async all => {
      const { apply, run } = all;
      const base = ['--base', 'auto', '--record-base'];
      const limits = ['--kinds', 'posture_checks', '--out', 'plan.json'];
      expectCode(await run(['plan', 'net', '--prune', 'removed', ...base, ...limits]), 0);
      expectCode(await run(['apply', 'plan.json', '--record-base', '--yes']), 0);
      expect(await recordedGuards(all)).toEqual(KEPT);
      expectCode(await apply('net'), 6);
    }),
  );

  test('records the stricter guards of the files', () =>
    loosened(async all => {
      const { id, apply, commit } = all;
      const stricter = `account: ${id}\nname: net\nprotect: [group/vault]\n`;
      await commit({ 'net/meshform.yaml': stricter });
      expectCode(await apply('net', ['--kinds', 'groups']), 0);
      const protect = ['group/vault', 'policy/deny'];
      expect(await recordedGuards(all)).toEqual({ ...KEPT, protect });
    }));
});
