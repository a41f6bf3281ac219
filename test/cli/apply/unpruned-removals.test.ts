// `--record-base` refuses a base that would forget a removal that was not pruned.
import { describe, expect, test } from 'vitest';
import { someOf } from '../../support/variations.ts';
import { AUTO, BOTH, inRepository, nameless, ONE, PRUNE } from '../files/repository.ts';

const LOST = 'group.a is no longer declared and stays in the account';

describe.concurrent('--record-base after a removal that was not pruned', () => {
  test.each(
    someOf(
      [
        ['an apply with the recorded base', ['apply', 'net', ...AUTO, '--yes']],
        ['an apply without a base', ['apply', 'net', '--record-base', '--yes']],
        [
          'an apply with another base',
          ['apply', 'net', '--base', 'HEAD', '--record-base', '--yes'],
        ],
        ['a plan', ['plan', 'net', ...AUTO]],
      ],
      2,
    ),
  )('is refused with the next step: %s', (_, argv) =>
    inRepository(async ({ run, commit, recorded, head, names }) => {
      await commit(BOTH);
      expect((await run('apply', 'net', ...AUTO, '--yes')).code).toBe(0);
      await commit(ONE);
      const { code, stderr } = await run(...argv);
      expect(code).toBe(6);
      expect(stderr).toContain('REMOVAL_NOT_PRUNED');
      expect(stderr).toContain(LOST);
      expect(stderr).toContain('--forget group/a');
      expect(recorded()).not.toBe(head());
      expect(await names('/api/groups')).toContain('a');
    }),
  );

  test('keeps the removal for a later run if this run excludes the object', () =>
    inRepository(async ({ run, commit, names }) => {
      await commit(BOTH);
      await run('apply', 'net', ...AUTO, '--yes');
      await commit(ONE);
      const part = await run('apply', 'net', ...AUTO, ...PRUNE, '--only', 'b', '--yes');
      expect(part.code, part.stderr).toBe(0);
      expect(await names('/api/groups')).toEqual(['All', 'a', 'b']);
      expect((await run('apply', 'net', ...AUTO, ...PRUNE, '--yes')).code).toBe(0);
      expect(await names('/api/groups')).toEqual(['All', 'b']);
    }));

  test('is accepted with --prune removed, or with --forget', () =>
    inRepository(async ({ run, commit, recorded, head, names }) => {
      await commit(nameless('{ name: a }, { name: b }, { name: c c }'));
      await run('apply', 'net', ...AUTO, '--yes');
      await commit(nameless('{ name: b }'));
      const refused = await run('plan', 'net', ...AUTO);
      expect(refused.stderr).toContain('delete it with --prune removed, or');
      expect(refused.stderr).toContain("--forget 'group/c c'");
      const forget = ['--forget', 'group/a'];
      const kept = await run('apply', 'net', ...AUTO, ...PRUNE, ...forget, '--yes');
      expect([kept.code, kept.stderr]).toMatchObject([
        0,
        expect.stringContaining(head().slice(0, 12)),
      ]);
      expect(await names('/api/groups')).toEqual(['All', 'a', 'b']);
      expect(recorded()).toBe(head());
      await commit(`# the same\n${nameless('{ name: b }')}`);
      const after = await run('apply', 'net', ...AUTO, ...PRUNE, '--yes');
      expect(after.code).toBe(0);
      expect(await names('/api/groups')).toContain('a');
    }));

  test('is refused if a remaining object refers to it', () =>
    inRepository(async ({ run, commit, account }) => {
      const policy = (field: string) =>
        `policies: [{ name: p, ${field} rules: [{ name: r, sources: [b], destinations: [a], protocol: tcp }] }]\n`;
      await commit(`${BOTH}${policy('')}`);
      await run('apply', 'net', ...AUTO, '--yes');
      const [a] = (
        (await account.call('GET', '/api/groups')) as { id: string; name: string }[]
      ).filter(({ name }) => name === 'a');
      const rule = {
        name: 'r',
        enabled: true,
        action: 'accept',
        bidirectional: true,
        protocol: 'all',
      };
      const sides = { sources: [a?.id ?? ''], destinations: [a?.id ?? ''] };
      const other = { name: 'mine', enabled: true, rules: [{ ...rule, ...sides }] };
      await account.call('POST', '/api/policies', other);
      await commit(ONE);
      const refused = await run('apply', 'net', ...AUTO, ...PRUNE, '--yes');
      expect(refused.code).toBe(6);
      expect(refused.stderr).toContain(
        'group.a is no longer declared and stays in the account: policy.mine',
      );
      expect(refused.stderr).toContain('include what refers to it in the run');
    }));

  test('is accepted if somebody deleted the object, or if its kind is never pruned', () =>
    inRepository(async ({ run, commit, account }) => {
      await commit(BOTH);
      await run('apply', 'net', ...AUTO, '--yes');
      const groups = (await account.call('GET', '/api/groups')) as { id: string; name: string }[];
      const a = groups.find(({ name }) => name === 'a');
      await account.call('DELETE', `/api/groups/${a?.id}`);
      await commit(ONE);
      expect((await run('apply', 'net', ...AUTO, '--yes')).code).toBe(0);
    }));

  test('is refused only for the policy with the id in the base, if somebody created another of its name', () =>
    inRepository(async ({ run, commit, account, id }) => {
      const policy = `policies: [{ name: p, rules: [{ name: r, sources: [b], destinations: [b], protocol: tcp }] }]\n`;
      await commit(`${ONE}${policy}`);
      await run('apply', 'net', ...AUTO, '--yes');
      const all = (await account.call('GET', '/api/policies')) as { name: string; id: string }[];
      const live = all.find(({ name }) => name === 'p');
      const second = await account.call('POST', '/api/policies', {
        name: 'p',
        enabled: true,
        rules: [
          {
            name: 'r',
            enabled: true,
            action: 'accept',
            bidirectional: true,
            protocol: 'all',
            sources: [id],
            destinations: [id],
          },
        ],
      });
      expect([live?.name, (second as { name: string }).name]).toEqual(['p', 'p']);
      await commit(ONE);
      const refused = await run('apply', 'net', ...AUTO, '--yes');
      expect(refused.code).toBe(6);
      expect(refused.stderr.match(/policy\S* is no longer declared/g)).toHaveLength(1);
      const applied = await run('apply', 'net', ...AUTO, ...PRUNE, '--yes');
      expect(applied.code, applied.stderr).toBe(0);
      const left = (await account.call('GET', '/api/policies')) as { id: string }[];
      const ids = left.map(policy => policy.id);
      expect(ids).toContain((second as { id: string }).id);
      expect(ids).not.toContain(live?.id);
    }));
});

describe('a base from a saved plan', () => {
  test('is not recorded if the plan leaves a removal', () =>
    inRepository(async ({ run, commit, recorded, head, names }) => {
      await commit(BOTH);
      await run('apply', 'net', ...AUTO, '--yes');
      await commit(`${ONE}networks: [{ name: n }]\n`);
      expect((await run('plan', 'net', '--base', 'auto', '--out', '.git/p.json')).code).toBe(0);
      const refused = await run('apply', '.git/p.json', '--record-base', '--yes');
      expect(refused.code).toBe(6);
      expect(refused.stderr).toContain('stays in the account: group.a');
      expect(recorded()).not.toBe(head());
      expect(await names('/api/networks')).toEqual([]);
    }));

  test('is not recorded if the plan did not use the recorded base', () =>
    inRepository(async ({ run, commit }) => {
      await commit(BOTH);
      await run('apply', 'net', ...AUTO, '--yes');
      await commit(ONE);
      await run('plan', 'net', '--out', '.git/p.json');
      const refused = await run('apply', '.git/p.json', '--record-base', '--yes');
      expect(refused.code).toBe(6);
      expect(refused.stderr).toContain('create the plan with --record-base');
    }));

  test('is recorded if the plan prunes or forgets every removal', () =>
    inRepository(async ({ run, commit, recorded, head }) => {
      await commit(BOTH);
      await run('apply', 'net', ...AUTO, '--yes');
      await commit(ONE);
      const flags = [...AUTO, '--forget', 'group/a', '--out', '.git/p.json'];
      expect((await run('plan', 'net', ...flags)).code).toBe(0);
      expect((await run('apply', '.git/p.json', '--record-base', '--yes')).code).toBe(0);
      expect(recorded()).toBe(head());
    }));
});
