// An unfinished apply of a revision that was never pushed: files without it take its updates back, so they have to say that it exists.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { git } from '../../support/git.ts';
import { cutNewest } from './cutJournals.ts';
import { expectCode, type Machine, type Machines, machines } from './sharedMachines.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 60_000 });

const network = (description: string) => `{ name: n, description: ${description} }`;
const OLD = `networks: [${network('old')}]\n`;
const NEW = `groups: [{ name: c }]\nnetworks: [${network('new')}, { name: m }]\n`;
const REFUSED = { method: 'POST', path: '/api/networks', effect: 'status', status: 400, times: 1 };

/** The first eight characters of the run, and its revision. */
interface Unmerged {
  readonly run: string;
  readonly revision: string;
  readonly one: Machine;
  readonly two: Machine;
}

/** One machine applies a commit that it never pushes, and does not get to its end; another has what was pushed. */
async function unmerged(all: Machines): Promise<Unmerged> {
  const one = await all.machine('one');
  await one.write('net.yaml', OLD);
  expectCode(await one.apply(), 0);
  await writeFile(join(one.folder, 'network/net.yaml'), NEW);
  git(one.folder, 'commit', '--quiet', '--all', '--message=not pushed');
  await all.account.fault(REFUSED);
  expectCode(await one.applyAt(60_000), 4);
  const { stdout } = await one.run('runs', 'network', '--format', 'json');
  const { runs } = JSON.parse(stdout) as { runs: { run: string; outcome: string }[] };
  const run = runs.find(({ outcome }) => outcome === 'incomplete')?.run.slice(0, 8) ?? '';
  const revision = git(one.folder, 'rev-parse', 'HEAD').trim();
  return { run, revision, one, two: await all.machine('two') };
}

const ofRun = ({ run, revision }: Unmerged) =>
  new RegExp(
    `the apply ${run} of \\S+ by .* of the revision ${revision.slice(0, 12)}, which is not in the history of this clone, was not finished`,
  );
const ways = ({ run }: Unmerged) =>
  `continue it with \`meshform apply --resume ${run}\`, undo it with \`meshform apply --undo ${run}\`, or close it with \`--abandon ${run}\``;

test('an unfinished apply of an unmerged revision is reported with its changes and the ways to end it', () =>
  machines(async all => {
    const found = await unmerged(all);
    const { two, run } = found;
    const drift = await two.runAt(120_000, 'drift', 'network', '--base', 'auto');
    expectCode(drift, 2);
    const plan = await two.run('plan', 'network', '--base', 'auto', '--prune', 'removed');
    expectCode(plan, 0);
    const applied = await two.apply();
    expectCode(applied, 0);
    for (const { stderr } of [drift, plan, applied]) {
      expect(stderr).toMatch(ofRun(found));
      expect(stderr).toContain('it created group.c, which stays if no file declares it');
      expect(stderr).toContain(
        'it changed network.n; a plan of these files reverts changes that they do not declare',
      );
      expect(stderr).toContain(ways(found));
    }
    // What is left is drift, and its run is still named.
    const after = await two.run('drift', 'network', '--base', 'auto', '--format', 'json');
    expectCode(after, 2);
    expect(after.stderr).toMatch(ofRun(found));
    expect(JSON.parse(after.stdout).meshform.unfinished).toEqual([
      {
        run: expect.stringMatching(run),
        began: expect.any(String),
        by: expect.any(String),
        revision: found.revision,
        in_history: false,
        created: ['group.c'],
        changed: ['network.n'],
      },
    ]);
    for (const format of ['markdown', 'comment']) {
      const shown = await two.run('drift', 'network', '--base', 'auto', '--format', format);
      expectCode(shown, 2);
      expect(shown.stdout.replaceAll(/\s+/g, ' ')).toContain(`meshform apply --undo ${run}`);
    }
    expectCode(
      await two.run('apply', 'network', '--undo', run, '--yes', '--allow', 'DELETES_OBJECT'),
      0,
    );
    expect(await all.groups()).toEqual([]);
    const undone = await two.run('drift', 'network', '--base', 'auto');
    expectCode(undone, 0);
    expect(undone.stderr).not.toContain('was not finished');
  }));

test(
  'an unfinished apply of an unmerged revision whose journal is cut off may have applied its whole plan',
  { tags: 'variation' },
  () =>
    machines(async all => {
      const found = await unmerged(all);
      cutNewest(all, 'send');
      const drift = await found.two.runAt(120_000, 'drift', 'network', '--base', 'auto');
      expect(drift.stderr).toMatch(ofRun(found));
      expect(drift.stderr).toContain('it may have changed network.n');
      expect(drift.stderr).toContain(ways(found));
    }),
);

test(
  '`runs` in the clone that has the unmerged revision shows its run as incomplete after an apply of the pushed files',
  { tags: 'variation' },
  () =>
    machines(async all => {
      const { run, one, two } = await unmerged(all);
      await two.write('more.yaml', 'groups: [{ name: d }]\n');
      expectCode(await two.applyAt(120_000), 0);
      const { stdout } = await one.run('runs', 'network', '--format', 'json');
      const { runs } = JSON.parse(stdout) as { runs: { run: string; outcome: string }[] };
      const outcome = runs.find(other => other.run.startsWith(run))?.outcome;
      expect(outcome).toBe('incomplete');
    }),
);
