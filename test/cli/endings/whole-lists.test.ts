// A list that the files have as a whole, once one of its members has ended: the end is a change that files and account share, so an
// edit on one side alone is no conflict with it.
import { expect, test, vi } from 'vitest';
import { git } from '../../support/git.ts';
import type { EndedFolder } from './endedFolder.ts';
import { FILES, RECORDED, recorded } from './recordedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

interface Named {
  readonly id: string;
  readonly name: string;
}

interface Policy extends Named {
  readonly rules: readonly (Readonly<Record<string, unknown>> & {
    readonly sources: readonly Named[];
    readonly destinations: readonly Named[];
  })[];
}

const list = async <T = Named>({ account }: EndedFolder, path: string): Promise<readonly T[]> =>
  (await account.call('GET', path)) as readonly T[];

const withSources = (sources: string): string =>
  `${FILES.replace('groups: [', 'groups: [{ name: guests }, { name: night }, ')}`.replace(
    'sources: [staff]',
    `sources: [${sources}]`,
  );

const GUESTS = '{ name: guests, until: 2026-12-01 }';

async function committed({ write, folder }: EndedFolder, text: string): Promise<void> {
  await write({ 'a.yaml': text });
  git(folder, 'commit', '-qam', 'changed');
}

/** Somebody adds a group to the sources of the rule in the dashboard. */
async function addedByHand(own: EndedFolder, name: string): Promise<void> {
  const added = (await list(own, '/api/groups')).filter(one => one.name === name);
  const policies = await list<Policy>(own, '/api/policies');
  const { id, rules = [] } = policies.find(one => one.name === 'stays') ?? {};
  const idsOf = (groups: readonly Named[]) => groups.map(group => group.id);
  await own.account.call('PUT', `/api/policies/${id}`, {
    name: 'stays',
    enabled: true,
    rules: rules.map(rule => ({
      ...rule,
      sources: idsOf(rule.sources.concat(added)),
      destinations: idsOf(rule.destinations),
    })),
  });
}

async function sourcesOf(own: EndedFolder): Promise<readonly string[]> {
  const policies = await list<Policy>(own, '/api/policies');
  const rules = policies.flatMap(policy => (policy.name === 'stays' ? policy.rules : []));
  return rules.flatMap(({ sources }) => sources.map(({ name }) => name)).sort();
}

const afterTheEnd = (use: (own: EndedFolder) => Promise<void>): Promise<void> =>
  recorded(async own => {
    await committed(own, withSources(`staff, ${GUESTS}`));
    expect((await own.run(['apply', 'network', '--yes', ...RECORDED])).code).toBe(0);
    own.at('2026-12-02T00:00:00Z');
    expect((await own.run(['expire', 'network', '--yes'])).code).toBe(0);
    expect(await sourcesOf(own)).toEqual(['staff']);
    await use(own);
  });

test('a source that somebody adds after an expiry is drift, and not a conflict with the expiry', () =>
  afterTheEnd(async own => {
    await addedByHand(own, 'night');
    const { code, stdout } = await own.run(['plan', 'network', '--base', 'auto']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('- "night"')]);
    expect(stdout).not.toContain('CONFLICT');
  }));

test('a source that the files add after an expiry is applied', () =>
  afterTheEnd(async own => {
    await committed(own, withSources(`staff, night, ${GUESTS}`));
    const { code, stderr } = await own.run(['apply', 'network', '--yes', ...RECORDED]);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('CONFLICT')]);
    expect(await sourcesOf(own)).toEqual(['night', 'staff']);
  }));

test('different sources that the files and somebody add after an expiry are a conflict', () =>
  afterTheEnd(async own => {
    await addedByHand(own, 'night');
    await committed(own, withSources(`staff, servers, ${GUESTS}`));
    const { stdout } = await own.run(['plan', 'network', '--base', 'auto']);
    expect(stdout).toContain('CONFLICT');
  }));

test('a member that somebody adds again after its expiry is removed again', () =>
  afterTheEnd(async own => {
    await addedByHand(own, 'guests');
    const { code } = await own.run(['expire', 'network', '--yes']);
    expect(code).toBe(0);
    expect(await sourcesOf(own)).toEqual(['staff']);
  }));
