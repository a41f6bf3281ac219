// An end removes only what these files declared before: a declaration that comes with a past end may name what somebody else made.
import { expect, test, vi } from 'vitest';
import { git } from '../../support/git.ts';
import { someOf } from '../../support/variations.ts';
import { type EndedFolder, namesOf } from './endedFolder.ts';
import { FILES, RECORDED, recorded } from './recordedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

const PAST = 'until: 2026-11-01';
const rules = (source: string, name = 'a') =>
  `rules: [{ name: ${name}, sources: [${source}], destinations: [servers], protocol: tcp, ports: ["22"] }]`;

/** Somebody makes a policy by hand; returns its id. */
async function byHand({ account }: EndedFolder, name = 'by hand'): Promise<string> {
  const listed = (await account.call('GET', '/api/groups')) as readonly {
    readonly id: string;
    readonly name: string;
  }[];
  const idOf = (group: string) => listed.find(one => one.name === group)?.id ?? '';
  const rule = {
    name: 'a',
    enabled: true,
    action: 'accept',
    bidirectional: false,
    protocol: 'tcp',
    ports: ['22'],
    sources: [idOf('staff')],
    destinations: [idOf('servers')],
  };
  const made = await account.call('POST', '/api/policies', { name, enabled: true, rules: [rule] });
  return (made as { readonly id: string }).id;
}

// A second run of each: what the first one leaves is not ours in the second one either.
const RUNS = [
  [['expire', 'network', '--yes'], 4],
  [['apply', 'network', '--yes', '--base', 'HEAD~1'], 0],
  [['apply', 'network', '--yes', ...RECORDED], 0],
  [['apply', 'network', '--yes', ...RECORDED], 0],
  [['expire', 'network', '--yes'], 4],
] as const;

test('a past expiry does not remove objects that no base declares: by name, by id, and by an expired rule', () =>
  recorded(async own => {
    const { run, write, account, folder } = own;
    await byHand(own, 'first');
    const id = await byHand(own, 'second');
    await byHand(own, 'third');
    const declared = [
      `{ name: first, lifecycle: { ${PAST} }, ${rules('staff')} }`,
      `{ name: third, lifecycle: { until: 2027-01-01 }, ${rules(`{ name: staff, ${PAST} }`)} }`,
    ];
    // No file of grants binds an object by its id.
    const bound = `{ name: x, lifecycle: { id: ${id}, ${PAST} }, ${rules('staff')} }`;
    await write({
      'grants/b.yaml': `policies: [${declared.join(', ')}]\n`,
      'b.yaml': `policies: [${bound}]\n`,
    });
    git(folder, 'add', '-A');
    git(folder, 'commit', '-qm', 'past ends');
    for (const [argv, exit] of RUNS) {
      const { code, stderr } = await run(argv);
      const told = stderr.split('END_HELD').length - 1;
      expect([argv, code, told, stderr]).toEqual([
        argv,
        exit,
        3,
        expect.stringContaining('no record shows'),
      ]);
      expect(await namesOf(account, 'policies')).toEqual([
        'first',
        'grant',
        'second',
        'stays',
        'third',
      ]);
    }
  }));

test(
  'an object declared with a past expiry before somebody created it is not removed',
  { tags: 'variation' },
  () =>
    recorded(async own => {
      const { run, write, account, folder } = own;
      await write({
        'b.yaml': `policies: [{ name: by hand, lifecycle: { ${PAST} }, ${rules('staff')} }]\n`,
      });
      git(folder, 'add', '-A');
      git(folder, 'commit', '-qm', 'a past end');
      expect((await run(['apply', 'network', '--yes', ...RECORDED])).code).toBe(0);
      await byHand(own);
      const { stderr } = await run(['apply', 'network', '--yes', ...RECORDED]);
      expect(stderr).toContain('END_HELD');
      expect(await namesOf(account, 'policies')).toContain('by hand');
    }),
);

test('an object that the files adopted first is removed at its expiry like their own', () =>
  recorded(async own => {
    const { run, write, account, folder } = own;
    await byHand(own);
    const policy = (end: string) => `policies: [{ name: by hand,${end} ${rules('staff')} }]\n`;
    for (const end of ['', ` lifecycle: { ${PAST} },`]) {
      await write({ 'b.yaml': policy(end) });
      git(folder, 'add', '-A');
      git(folder, 'commit', '-qm', 'adopted');
      const { code, stderr } = await run(['apply', 'network', '--yes', ...RECORDED]);
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('END_HELD')]);
    }
    expect(await namesOf(account, 'policies')).toEqual(['grant', 'stays']);
  }));

test('an apply does not remove an object that somebody created again under the name of an expired object', () =>
  recorded(async own => {
    const { run, account, at } = own;
    const policies = (await account.call('GET', '/api/policies')) as readonly {
      readonly id: string;
      readonly name: string;
    }[];
    const grant = policies.find(({ name }) => name === 'grant')?.id ?? '';
    await account.call('DELETE', `/api/policies/${grant}`);
    await byHand(own, 'grant');
    at('2026-12-02T00:00:00Z');
    for (let n = 0; n < 2; n++) {
      const { code, stderr } = await run(['apply', 'network', '--yes', ...RECORDED]);
      expect([code, stderr]).toEqual([0, expect.stringContaining('END_HELD')]);
      expect(await namesOf(account, 'policies')).toEqual(['grant', 'stays']);
    }
  }));

const idsOf = async ({ account }: EndedFolder): Promise<readonly string[]> => {
  const policies = (await account.call('GET', '/api/policies')) as readonly {
    readonly id: string;
    readonly name: string;
  }[];
  return policies.map(({ id, name }) => `${name} ${id}`).sort();
};

// A server of dialect `netbird` keeps the rules of a policy as policies of their own: a copy is also like a part of the policy.
const SERVERS = ['spec', 'netbird'] as const;
const ENDING_RUNS = [
  ['apply', ['apply', 'network', '--yes', ...RECORDED]],
  ['apply without pruning', ['apply', 'network', '--yes', '--base', 'auto']],
  ['expire', ['expire', 'network', '--yes']],
] as const;

test.each(
  someOf(
    SERVERS.flatMap(dialect => ENDING_RUNS.map(([name, argv]) => [name, dialect, argv] as const)),
    3,
  ),
)(
  '%s removes the expired policy of the base, and not a copy with its name (%s)',
  (_, dialect, argv) =>
    recorded(
      async own => {
        const { run, at } = own;
        const [, stays] = await idsOf(own);
        const id = await byHand(own, 'grant');
        at('2026-12-02T00:00:00Z');
        await run(argv);
        expect(await idsOf(own)).toEqual([`grant ${id}`, stays]);
        expect((await run(argv)).stderr).toContain('END_HELD');
        expect(await idsOf(own)).toEqual([`grant ${id}`, stays]);
      },
      { dialect },
    ),
);

test(
  'removing a rule from the files does not remove a copy of its policy',
  { tags: 'variation' },
  () =>
    recorded(
      async own => {
        const { run, write, folder } = own;
        const [grant, stays] = await idsOf(own);
        const id = await byHand(own, 'stays');
        await write({ 'a.yaml': FILES.replace('name: a, sources', 'name: b, sources') });
        git(folder, 'add', '-A');
        git(folder, 'commit', '-qm', 'another rule');
        const { code, stderr } = await run(['apply', 'network', '--yes', ...RECORDED]);
        expect([code, stderr]).toEqual([0, expect.anything()]);
        const kept = [stays, `stays ${id}`].sort();
        expect(await idsOf(own)).toEqual([grant, ...kept]);
      },
      { dialect: 'netbird' },
    ),
);

test.each(ENDING_RUNS)(
  '%s reports, in the run that removes an expired policy, that a copy with its name stays in the account',
  { tags: 'variation' },
  (_, argv) =>
    recorded(
      async own => {
        const { run, at } = own;
        await byHand(own, 'grant');
        at('2026-12-02T00:00:00Z');
        const { code, stderr } = await run(argv);
        expect([code, stderr.split('END_HELD').length - 1]).toEqual([
          argv[0] === 'expire' ? 4 : 0,
          1,
        ]);
        expect(stderr).toContain('network/grants/g.yaml:1:');
        if (argv[0] === 'expire')
          expect(stderr).toContain('policy grant, until 2026-12-02T00:00:00Z');
      },
      { dialect: 'netbird' },
    ),
);
