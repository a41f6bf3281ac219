// `--forget` keeps an object that the files no longer declare, and refuses every other name.
import { describe, expect, test } from 'vitest';
import { someOf } from '../../support/variations.ts';
import { AUTO, BOTH, inRepository, ONE } from '../files/repository.ts';

describe('--forget', () => {
  test.each(someOf(['group/c', 'group/b', 'grup/a', 'policy/a'], 2))(
    'a name for --forget that is not a removed object is an error: %s',
    name =>
      inRepository(async ({ run, commit }) => {
        await commit(BOTH);
        await run('apply', 'net', ...AUTO, '--yes');
        await commit(ONE);
        for (const argv of [['plan'], ['apply', '--yes']]) {
          const ended = await run(...argv, 'net', '--base', 'auto', '--forget', name);
          expect(ended.code).toBe(3);
          expect(ended.stderr).toContain(`\`${name}\` cannot be forgotten`);
        }
      }),
  );

  test('keeps the named objects from every way of pruning, with their parents', () =>
    inRepository(async ({ run, commit }) => {
      const network = `networks:
  - { name: n, resources: [{ name: r, address: 10.0.0.1, groups: [b] }] }
  - { name: m, resources: [{ name: s, address: 10.0.0.2, groups: [b] }] }
  - { name: o }
`;
      await commit(`${ONE}${network}`);
      await run('apply', 'net', ...AUTO, '--yes');
      await commit(`${ONE}networks: [{ name: o }]\n`);
      const forget = ['--forget', 'network_resource/n/r', '--forget', 'network/m'];
      for (const prune of ['removed', 'unmanaged']) {
        const flags = ['--base', 'auto', '--prune', prune, ...forget];
        const { stdout } = await run('plan', 'net', ...flags);
        expect(stdout).toContain('No changes.');
      }
      const flags = [...AUTO, '--prune', 'removed'];
      const held = await run('plan', 'net', ...flags, ...forget);
      expect(held.stderr).toContain(
        'network.n is no longer declared and stays in the account: network_resource',
      );
      expect(held.stderr).not.toContain('network.m');
    }));
});
