// Grants without a base: the journals of applies tell which object of the account each of them is, whatever its name is now.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { someOf } from '../../support/variations.ts';
import { type EndedFolder, namesOf, withEndedFolder } from './endedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

const GROUPS =
  'groups: [{ name: staff, peers: [ada] }, { name: temps, peers: [bob] }, { name: servers, peers: [db] }]\n';
const rules = (source: string) =>
  `rules: [{ name: a, sources: [${source}], destinations: [servers], protocol: tcp, ports: ["22"] }]`;
const ADM = `${GROUPS}policies: [{ name: adm, ${rules('staff')} }]\n`;
const grant = (name: string, until = '2026-12-01') =>
  `policies: [{ name: ${name}, lifecycle: { until: ${until} }, ${rules('temps')} }]\n`;

interface Policy {
  readonly id: string;
  readonly name: string;
  readonly rules: readonly Readonly<Record<string, unknown>>[];
}

const policiesOf = async ({ account }: EndedFolder) =>
  (await account.call('GET', '/api/policies')) as readonly unknown[] as readonly Policy[];

const idsOf = async (own: EndedFolder) =>
  Object.fromEntries((await policiesOf(own)).map(({ name, id }) => [name, id]));

type Named = { readonly id: string };

/** Somebody gives the policy of an id another name, and its rules another name. */
async function called(own: EndedFolder, id: string | undefined, name: string, rule?: string) {
  const found = (await policiesOf(own)).find(one => one.id === id);
  const idsIn = (list: unknown) => (list as readonly Named[]).map(one => one.id);
  const body = {
    name,
    enabled: true,
    rules: (found?.rules ?? []).map(one => ({
      ...one,
      ...(rule && { name: rule }),
      sources: idsIn(one.sources),
      destinations: idsIn(one.destinations),
    })),
  };
  await own.account.call('PUT', `/api/policies/${id}`, body as never);
}

/** The folder without a base, applied first as `files`, and then with a grant. */
const granted = (
  use: (folder: EndedFolder, ids: Readonly<Record<string, string>>) => Promise<void>,
  { files = ADM, ...server }: Parameters<typeof withEndedFolder>[1] & { files?: string } = {},
) =>
  withEndedFolder(async own => {
    for (const name of ['ada', 'bob', 'db']) await own.account.enrol(name);
    await own.write({ 'a.yaml': files });
    expect((await own.run(['apply', 'network', '--yes'])).code).toBe(0);
    await own.write({ 'grants/g.yaml': grant('g') });
    expect((await own.run(['apply', 'network', '--yes'])).code).toBe(0);
    await use(own, await idsOf(own));
  }, server);

const filesOfGrants = ({ folder }: EndedFolder) => readdir(join(folder, 'network', 'grants'));

const AFTER = '2026-12-02T00:00:00Z';
const EXPIRE = ['expire', 'network', '--yes', '--write'];

describe.each(someOf(['spec', 'netbird'] as const, 1))('%s', dialect => {
  test.each(
    someOf(
      [
        [EXPIRE, 4],
        [['apply', 'network', '--yes'], 0],
      ] as const,
      1,
    ),
  )('a policy that took the name of the grant stays if names were swapped: %s', (argv, exit) =>
    granted(
      async (own, { adm, g }) => {
        await called(own, adm, 'aside');
        await called(own, g, 'adm');
        await called(own, adm, 'g');
        own.at(AFTER);
        const { code, stderr } = await own.run(argv);
        expect([code, stderr]).toEqual([exit, expect.stringContaining('END_HELD')]);
        expect(await idsOf(own)).toEqual({ adm: g, g: adm });
        expect(await filesOfGrants(own)).toEqual(['g.yaml']);
      },
      { dialect },
    ),
  );

  test.each(
    someOf(
      [
        ['that was renamed away', 'adm', undefined],
        ['that was renamed away, with another rule', 'adm', 'other'],
        ['that nothing has, with another rule', 'kept', 'other'],
      ],
      1,
    ),
  )('a grant’s policy with a name %s is reported as overdue, and is not removed', (_, name, rule) =>
    granted(
      async (own, { adm, g }) => {
        await called(own, adm, 'former');
        await called(own, g, name, rule);
        own.at(AFTER);
        const drifted = await own.run(['drift', 'network']);
        const told = `${drifted.stdout}${drifted.stderr}`;
        expect([drifted.code, told]).toEqual([2, expect.stringContaining('policy.g has ended')]);
        for (const argv of [EXPIRE, EXPIRE]) {
          const { code, stderr } = await own.run(argv);
          expect([code, stderr]).toEqual([4, expect.stringContaining('END_HELD')]);
          expect(stderr).toContain(`policy.${name}`);
        }
        expect(await idsOf(own)).toEqual({ [name]: g, former: adm });
        expect(await filesOfGrants(own)).toEqual(['g.yaml']);
      },
      { dialect },
    ),
  );

  test.each(someOf(['2026-12-02', '2026-11-29'], 1))(
    'a change of grants alone does not take over a policy that an earlier apply created: until %s',
    until =>
      granted(
        async (own, { adm }) => {
          await own.write({ 'a.yaml': GROUPS });
          expect((await own.run(['apply', 'network', '--yes'])).code).toBe(0);
          await own.write({ 'grants/h.yaml': grant('adm', until) });
          const isOver = until < '2026-11-30';
          const applied = await own.run(['apply', 'network', '--yes']);
          expect([applied.code, applied.stderr]).toEqual(
            isOver
              ? [0, expect.stringContaining('END_HELD')]
              : [3, expect.stringContaining('GRANT_REFUSED')],
          );
          own.at('2026-12-03T00:00:00Z');
          const { code, stderr } = await own.run(EXPIRE);
          expect([code, stderr]).toEqual([4, expect.stringContaining('END_HELD')]);
          expect(await namesOf(own.account, 'policies')).toEqual(['adm']);
          expect((await idsOf(own)).adm).toBe(adm);
          expect(await filesOfGrants(own)).toEqual(['h.yaml']);
        },
        { dialect },
      ),
  );
});

test.each(['2026-12-02', '2026-11-29'])(
  'a policy that an apply has made permanent does not expire by a change of grants: until %s',
  until =>
    granted(async (own, { g }) => {
      await rm(join(own.folder, 'network', 'grants', 'g.yaml'));
      const lasting = `policies: [{ name: g, description: for good, ${rules('temps')} }]\n`;
      await own.write({ 'b.yaml': lasting });
      expect((await own.run(['apply', 'network', '--yes'])).code).toBe(0);
      await rm(join(own.folder, 'network', 'b.yaml'));
      await own.write({ 'grants/h.yaml': grant('g', until).replace('"22"', '"23"') });
      const applied = await own.run(['apply', 'network', '--yes']);
      const said = until < '2026-11-30' ? 'END_HELD' : 'GRANT_REFUSED';
      expect(applied.stderr).toContain(said);
      own.at('2026-12-03T00:00:00Z');
      const { code, stderr } = await own.run(EXPIRE);
      expect([code, stderr]).toEqual([4, expect.stringContaining('END_HELD')]);
      expect((await idsOf(own)).g).toBe(g);
    }),
);

test('the rest of a grant is removed without a warning if the server keeps each rule as a policy', () =>
  granted(
    async own => {
      const other = ', { name: b, sources: [temps], destinations: [servers], protocol: icmp }]';
      await own.write({ 'grants/g.yaml': grant('g').replace(/\](?= \}\]\n)/, other) });
      expect((await own.run(['apply', 'network', '--yes'])).code).toBe(0);
      const ids = await idsOf(own);
      expect(Object.keys(ids).sort()).toEqual(['adm', 'g / a', 'g / b']);
      // As an `expire` leaves it that is killed.
      await own.account.call('DELETE', `/api/policies/${ids['g / b']}`);
      own.at(AFTER);
      const { code, stderr } = await own.run(EXPIRE);
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('END_HELD')]);
      expect(Object.keys(await idsOf(own))).toEqual(['adm']);
      expect(await filesOfGrants(own)).toEqual([]);
    },
    { dialect: 'netbird' },
  ));

test('a grant’s policy with a name that the account never had is not removed', () =>
  granted(async (own, { g }) => {
    await own.write({ 'a.yaml': ADM.replace('adm', 'one') });
    await called(own, g, 'one');
    own.at(AFTER);
    const { code, stderr } = await own.run(EXPIRE);
    expect([code, stderr]).toEqual([4, expect.stringContaining('END_HELD')]);
    expect(stderr).toContain('policy.one');
    expect(await filesOfGrants(own)).toEqual(['g.yaml']);
  }));
