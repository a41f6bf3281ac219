// Accounts whose apply ended, and of which the ledger does not know: the run was killed at its last push, or somebody put the ledger back.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { FLEET, type TestFleet } from './fleetFolder.ts';
import { fleetState } from './fleetStates.ts';

const PLAN = ['plan', '--base', 'auto', '--record-base', '--prune', 'removed', '--out', 'plans'];
const FIRST = [...PLAN, '--first'];
const APPLY = ['apply', 'plans', '--yes'];

const WAVES = `${FLEET}waves:
  - { count: 1, bake: 10m }
  - { share: 100% }
`;

const LATER = { now: 20 * 60_000 };

/** Puts the ledger back to when its first account was in a state. */
function putBack({ remote }: TestFleet, state: 'waiting' | 'running'): void {
  const ref = git(remote, 'for-each-ref', '--format=%(refname)', 'refs/meshform-fleet').trim();
  const commits = git(remote, 'rev-list', ref).trim().split('\n');
  const found = commits.find(commit => {
    const { accounts } = JSON.parse(git(remote, 'show', `${commit}:rollout.json`));
    return accounts[0].state === state;
  });
  git(remote, 'update-ref', ref, found ?? '');
}

/** Takes the last line from all journals of this machine, as a run does that is killed before it wrote it. */
async function cutOff(journals: string): Promise<number> {
  const files = await readdir(journals, { recursive: true });
  const found = files.filter(file => file.endsWith('.jsonl')).map(file => join(journals, file));
  for (const file of found) {
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    await writeFile(file, `${lines.slice(0, -1).join('\n')}\n`);
  }
  return found.length;
}

/** How many objects are created in each account meanwhile. */
async function postsDuring({ msp }: TestFleet, run: () => Promise<void>): Promise<number[]> {
  const counted = () =>
    msp.tenants.map(
      ({ id }) => msp.requestsOf(id).filter(({ method }) => method === 'POST').length,
    );
  const before = counted();
  await run();
  return counted().map((count, i) => count - (before[i] ?? 0));
}

const inWaves = fleetState({ tenants: 2, files: { 'fleet.yaml': WAVES } });

/** The first of two accounts was carried out, with the journals in the folder `here`. */
const begunWith = (plan: readonly string[]) =>
  inWaves.after(async fleet => {
    await fleet.fleet(plan);
    const env = { MESHFORM_JOURNALS: join(fleet.home, 'here') };
    const posts = await postsDuring(fleet, async () => {
      expect((await fleet.fleet(APPLY, { env })).code).toBe(4);
    });
    expect(posts).toEqual([2, 0]);
  });

const begunWithFirst = begunWith(FIRST);

async function isFinished(fleet: TestFleet, words: readonly string[], journals: string) {
  const env = { MESHFORM_JOURNALS: join(fleet.home, journals) };
  const posts = await postsDuring(fleet, async () => {
    const { code, stderr } = await fleet.fleet(words, { ...LATER, env });
    expect({ code, stderr }).toEqual({ code: 4, stderr: '' });
    const ended = await fleet.fleet(words, { now: 2 * LATER.now, env });
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: '' });
    expect(ended.stdout).toContain('Rollout complete: 2 of 2 accounts healthy.');
  });
  expect(posts).toEqual([0, 2]);
}

for (const [what, state] of [
  ['the first plan', begunWithFirst],
  ['a plan', begunWith(PLAN)],
] as const)
  test(`another machine without the plans recognises an account for which ${what} was carried out as complete`, async () => {
    await state.use(async fleet => {
      putBack(fleet, 'running');
      await isFinished(fleet, ['apply', '--continue'], 'there');
    });
  });

test('the same machine recognises a carried-out plan although its journal lacks the end', {
  tags: 'variation',
}, async () => {
  await begunWithFirst.use(async fleet => {
    putBack(fleet, 'running');
    expect(await cutOff(join(fleet.home, 'here'))).toBe(1);
    await isFinished(fleet, ['apply', 'plans', '--continue'], 'here');
  });
});

test.each([
  ['with the plans', ['apply', 'plans', '--continue']],
  ['without the plans', ['apply', '--continue']],
])(
  'an account is recognised as complete even if somebody put an older ledger back, %s',
  { tags: 'variation' },
  async (_, words) => {
    await begunWithFirst.use(async fleet => {
      putBack(fleet, 'waiting');
      await isFinished(fleet, words, 'there');
    });
  },
);
