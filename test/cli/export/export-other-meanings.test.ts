// Machines and objects that have the name of another one to which the files refer: an export that does not write the references does not
// make them mean the other one.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { someOf } from '../../support/variations.ts';
import { expectCode, type Teams, teams } from '../bases/teams.ts';
import { ByHand } from './byHand.ts';

const MAIN = `groups:
  - { name: g0, peers: [m0, m1] }
  - { name: g1 }
posture_checks:
  - { name: c0, checks: { nb_version_check: { min_version: "0.60.0" } } }
routes:
  - { network_id: t0, network: 10.50.0.0/24, peer: m0, masquerade: true, groups: [g1], access_control_groups: [g1] }
policies:
  - name: p0
    source_posture_checks: [c0]
    rules: [{ name: a, sources: [g0], destinations: [g1], protocol: tcp, ports: ["22"] }]
`;

interface Story extends Teams {
  readonly hand: ByHand;
  /** What the next plan changes in the account, by its lines. */
  readonly planned: () => Promise<readonly string[]>;
  readonly text: (file: string) => Promise<string>;
}

const PLAN = ['plan', 'net', '--base', 'auto', '--prune', 'removed'];

const filesOf = (id: string) => ({
  'net/meshform.yaml': `account: ${id}\n`,
  'net/main.yaml': MAIN,
});

/** Tells of an applied folder that refers to machines without declaring them. */
const applied = (
  tell: (story: Story) => Promise<void>,
  files: (id: string) => Readonly<Record<string, string>> = filesOf,
) =>
  teams(async story => {
    const { account, apply, commit, cwd, id, run } = story;
    for (const name of ['m0', 'm1', 'm2']) await account.enrol(name);
    await commit(files(id));
    expectCode(await apply('net'), 0);
    const planned = async () => (await run(PLAN)).stdout.match(/^ {2}# .*$/gm) ?? [];
    const text = (file: string) => readFile(join(cwd, 'net', file), 'utf8');
    await tell({ ...story, hand: new ByHand(account), planned, text });
  });

/** Exports, and expects that the next plan is what it was, and that a warning says what remains. */
async function limited(story: Story, ...limits: readonly string[]): Promise<string> {
  const before = await story.planned();
  const exported = await story.run(['export', '--out', 'net', ...limits]);
  expect(await story.planned()).toEqual(before);
  expectCode(exported, 2);
  return exported.stderr;
}

/** Expects that an export of everything leaves nothing to change. */
async function expectRepaired({ commit, run, planned }: Story) {
  expectCode(await run(['export', '--out', 'net']), 0);
  await commit({});
  expect(await planned()).toEqual([]);
  expectCode(await run([...PLAN, '--detailed-exitcode']), 0);
}

test('a machine that was enrolled again is not exported while references to the deleted one stay', () =>
  applied(async story => {
    const old = await story.hand.find('/api/peers', 'm0');
    await story.hand.enrolAgain('m0');
    const now = await story.hand.find('/api/peers', 'm0');
    const said = await limited(story, '--kinds', 'peers');
    expect(said).toContain(
      `net/main.yaml:2:25 warning OBJECT_STUCK peer.m0 is left out: group.g0 refers to this name and means the peer ${old.id}, which the account no longer has; if the file declared the object, the reference would mean ${now.id}; so would 1 other reference in the files`,
    );
    expect(said).toContain('hint: export without `--kinds`');
    const peers = await story.text('peers.yaml');
    expect(peers).toContain('name: m1');
    expect(peers).not.toContain('name: m0');
    await expectRepaired(story);
  }));

test(
  'a machine that took the name of a renamed one is not exported while references to that name stay',
  { tags: 'variation' },
  () =>
    applied(async story => {
      const old = await story.hand.find('/api/peers', 'm0');
      await story.hand.rotate('/api/peers', ['m0', 'm2']);
      const said = await limited(story, '--kinds', 'peers');
      expect(said).toContain(
        `means the peer ${old.id}, which is called \`m2\` now; if the file declared`,
      );
      expect(await story.text('peers.yaml')).not.toContain('name: m0');
      await expectRepaired(story);
    }),
);

test.each([
  [['--only', 'peer/m0'], ['--only']],
  [['--except', 'route/*', '--except', 'group/*'], ['--except']],
  [['--kinds', 'peers,groups'], ['--kinds']],
  [
    ['--kinds', 'peers,policies', '--except', 'policy/p0'],
    ['--kinds', '--except'],
  ],
] as const)(
  'an export with %s does not write a machine that was enrolled again',
  { tags: 'variation' },
  (limits, named) =>
    applied(async story => {
      await story.hand.enrolAgain('m0');
      const said = await limited(story, ...limits);
      for (const flag of named) expect(said).toContain(`\`${flag}\``);
      expect(said).toContain('peer.m0 is left out');
      await expectRepaired(story);
    }),
);

/** The file of the machines, once all of them are declared, applied and in the base. */
async function declaredMachines({ apply, commit, run, text }: Story): Promise<string> {
  expectCode(await run(['export', '--out', 'net']), 0);
  await commit({});
  expectCode(await apply('net'), 0);
  return text('peers.yaml');
}

test('a declared machine that was enrolled again is not changed by an export while references to it stay', () =>
  applied(async story => {
    const { hand, text } = story;
    const peers = await declaredMachines(story);
    await hand.enrolAgain('m0');
    const said = await limited(story, '--kinds', 'peers');
    expect(said).toContain('peer.m0 stays as it was in the files');
    expect(await text('peers.yaml')).toBe(peers);
    await expectRepaired(story);
  }));

test(
  'a renamed machine is not changed by a limited export while references have its former name',
  { tags: 'variation' },
  () =>
    applied(async story => {
      const { hand, text } = story;
      const peers = await declaredMachines(story);
      await hand.rotate('/api/peers', ['m0', 'm2', 'm1']);
      const said = await limited(story, '--kinds', 'peers');
      expect(said).toContain(
        `net/main.yaml:2:25 warning OBJECT_STUCK peer.m2 stays as it was in the files: group.g0 refers to the object by its former name, \`m0\`, as 1 other reference in the files does; under its new name, the reference would no longer mean it`,
      );
      expect(await text('peers.yaml')).toBe(peers);
      await expectRepaired(story);
    }),
);

const REST = MAIN.slice(MAIN.indexOf('posture_checks:'));

test.each(
  someOf(
    [
      [
        'an earlier layer',
        (id: string) => ({
          'below/groups.yaml': 'groups:\n  - { name: g0, peers: [m0, m1] }\n  - { name: g1 }\n',
          'net/meshform.yaml': `account: ${id}\nlayers: [../below, .]\n`,
          'net/main.yaml': REST,
        }),
        'below/groups.yaml:2:25',
      ],
      [
        'a template',
        (id: string) => ({
          'net/meshform.yaml': `account: ${id}\n`,
          'net/main.yaml': `groups:\n  - { name: 'g${'${each.key}'}', for_each: ['0', '1'], peers: [m0, m1] }\n${REST}`,
        }),
        'net/main.yaml:2:59',
      ],
    ] as const,
    1,
  ),
)(
  'a reference in %s keeps its meaning in an export without limits too: the machine is not written',
  (_, files, place) =>
    applied(async story => {
      await story.hand.enrolAgain('m0', false);
      const said = await limited(story);
      expect(said).toContain(`${place} warning OBJECT_STUCK peer.m0 is left out: group.g0 refers`);
      expect(said).toContain('hint: write by hand which object is meant here, and export again');
      expect(await story.text('peers.yaml')).not.toContain('name: m0');
    }, files),
);

test.each(
  someOf(
    [
      ['groups', '/api/groups', 'g0'],
      ['posture_checks', '/api/posture-checks', 'c0'],
    ] as const,
    1,
  ),
)(
  '%s: references to a former name keep their meaning in the plan after an export',
  (kinds, path, name) =>
    applied(async story => {
      const { commit, hand, planned, run } = story;
      await hand.rename(path, name, 'former');
      await hand.copyOf(path, await hand.find(path, 'former'), { name });
      const before = await planned();
      expectCode(await run(['export', '--out', 'net', '--kinds', kinds]), 0);
      await commit({});
      expect(await planned()).toEqual(before);
      await expectRepaired(story);
    }),
);
