// A run that was undone, or that a later complete apply of the same files has overtaken, is not resumed: its remaining actions
// would bring back what somebody has taken back.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { expectCode, type Machine, type Machines, machines } from '../lock/sharedMachines.ts';

vi.setConfig({ testTimeout: 60_000 });

const PLAIN = ['apply', 'network', '--lock', 'file', '--yes'] as const;
const ALLOW = ['--allow', 'DELETES_OBJECT'] as const;
const at = (minute: number): number => minute * 60_000;

/** An incomplete apply of a machine: it created the group `b`, and could not create `c`. */
interface Incomplete {
  readonly one: Machine;
  readonly run: string;
  /** The journal of the run. */
  readonly file: string;
}

async function incomplete(
  all: Machines,
  apply: (machine: Machine, now: number, ...more: string[]) => ReturnType<Machine['run']>,
): Promise<Incomplete> {
  const one = await all.machine('one');
  await one.declare('a');
  expectCode(await apply(one, at(1)), 0);
  await one.declare('a', 'b', 'c');
  await all.account.fault({
    method: 'POST',
    path: '/api/groups',
    effect: 'status',
    status: 400,
    nth: 2,
  });
  expectCode(await apply(one, at(2), '--concurrency', '1'), 4);
  const { stdout } = await one.run('runs', 'network', '--format', 'json');
  const [{ run }] = JSON.parse(stdout).runs;
  return { one, run: run.slice(0, 8), file: await journalOf(run, `${one.folder}-journals`) };
}

async function journalOf(run: string, folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true });
  for (const name of names.filter(one => one.endsWith('.jsonl'))) {
    const file = join(folder, name);
    if ((await readFile(file, 'utf8')).includes(`"run":"${run}"`)) return file;
  }
  throw new Error(`no journal of ${run}`);
}

const withoutRemote = (all: Machines) =>
  incomplete(all, (one, now, ...more) => one.runAt(now, ...PLAIN, ...more));

const atRemote = (all: Machines) =>
  incomplete(all, (one, now, ...more) => {
    const apply = ['--base', 'auto', '--record-base', '--prune', 'removed', '--yes'];
    return one.runAt(now, 'apply', 'network', ...apply, ...ALLOW, ...more);
  });

const CHOSEN = ['its name', 'its journal'] as const;
const chosenBy = (by: string, { run, file }: Incomplete) => (by === 'its name' ? run : file);

test.each(CHOSEN)('an undone run is not resumed by %s', by =>
  machines(async all => {
    const made = await withoutRemote(all);
    const { one, run } = made;
    expectCode(await one.runAt(at(3), ...PLAIN, '--undo', ...ALLOW), 0);
    const resumed = await one.runAt(at(4), ...PLAIN, '--resume', chosenBy(by, made));
    expectCode(resumed, 6);
    expect(resumed.stderr).toMatch(
      new RegExp(`the run ${run} cannot be continued: it was undone by the run [0-9a-f]{8}`),
    );
    expect(resumed.stderr).toContain('`meshform apply network`');
    expect(await all.groups()).toEqual(['a']);
  }),
);

const undoOf = async (one: Machine): Promise<string> => {
  const { stdout } = await one.run('runs', 'network', '--format', 'json');
  return String(JSON.parse(stdout).runs[0].run).slice(0, 8);
};

test.each(['here', 'at the remote'])(
  'an undo %s that was undone itself does not count',
  { tags: 'variation' },
  where =>
    machines(async all => {
      const isHere = where === 'here';
      const { one, run } = await (isHere ? withoutRemote(all) : atRemote(all));
      const apply = isHere ? PLAIN : (['apply', 'network', '--yes'] as const);
      expectCode(await one.runAt(at(3), ...apply, '--undo', run, ...ALLOW), 0);
      const undo = await undoOf(one);
      expectCode(await one.runAt(at(4), ...apply, '--undo', undo, ...ALLOW), 0);
      expect(await all.groups()).toEqual(['a', 'b']);
      const again = await undoOf(one);
      const { stdout } = await one.run('runs', 'network', '--format', 'json');
      const records = JSON.parse(stdout).runs as { run: string; undone_by?: string }[];
      expect(records.find(one => one.run.startsWith(run))?.undone_by).toBeUndefined();
      expect(records.find(one => one.run.startsWith(undo))?.undone_by?.slice(0, 8)).toBe(again);
      const resumed = await one.runAt(at(5), ...apply, '--resume', run);
      if (isHere) {
        // The object that the second undo created again is another one, so no base names that of the first run.
        expectCode(resumed, 4);
        expect(resumed.stdout).toContain('group.b');
        expect(await all.groups()).toEqual(['a', 'b', 'c']);
      } else {
        // The second undo recorded a base, because it created an object again.
        expectCode(resumed, 6);
        expect(resumed.stderr).toContain('make a new plan: `meshform apply network`');
      }
      expectCode(await one.runAt(at(6), ...apply), 0);
      expect(await all.groups()).toEqual(['a', 'b', 'c']);
    }),
);

test(
  'a run that was undone, and undone once more after an undo of the undo, is not resumed',
  { tags: 'variation' },
  () =>
    machines(async all => {
      const { one, run } = await withoutRemote(all);
      expectCode(await one.runAt(at(3), ...PLAIN, '--undo', run, ...ALLOW), 0);
      expectCode(await one.runAt(at(4), ...PLAIN, '--undo', await undoOf(one), ...ALLOW), 0);
      expectCode(await one.runAt(at(5), ...PLAIN, '--undo', await undoOf(one), ...ALLOW), 0);
      expect(await all.groups()).toEqual(['a']);
      const resumed = await one.runAt(at(6), ...PLAIN, '--resume', run);
      expectCode(resumed, 6);
      expect(resumed.stderr).toContain('it was undone by the run');
    }),
);

test('a run whose undo is not finished is not resumed', { tags: 'variation' }, () =>
  machines(async all => {
    const { one, run } = await withoutRemote(all);
    await all.account.fault({
      method: 'DELETE',
      path: '/api/groups/*',
      effect: 'status',
      status: 400,
    });
    expectCode(await one.runAt(at(3), ...PLAIN, '--undo', ...ALLOW), 4);
    const resumed = await one.runAt(at(4), ...PLAIN, '--resume', run);
    expectCode(resumed, 6);
    const [, undo = ''] = /the run ([0-9a-f]{8}) began to undo it/.exec(resumed.stderr) ?? [];
    expect(await all.groups()).toEqual(['a', 'b']);
    expectCode(await one.runAt(at(5), ...PLAIN, '--resume', undo, ...ALLOW), 0);
    expect(await all.groups()).toEqual(['a']);
  }),
);

test(
  '`runs` reports that the undo of a run has begun, until the undo is finished',
  { tags: 'variation' },
  () =>
    machines(async all => {
      const { one, run } = await withoutRemote(all);
      await all.account.fault({
        method: 'DELETE',
        path: '/api/groups/*',
        effect: 'status',
        status: 400,
      });
      expectCode(await one.runAt(at(3), ...PLAIN, '--undo', ...ALLOW), 4);
      const listed = async () => {
        const { runs } = JSON.parse((await one.run('runs', 'network', '--format', 'json')).stdout);
        return runs as { run: string; undo_begun_by?: string; undone_by?: string }[];
      };
      const [undo, undone] = await listed();
      expect(undone?.run).toMatch(run);
      expect(undone?.undo_begun_by).toBe(undo?.run);
      const short = undo?.run.slice(0, 8) ?? '';
      for (const words of [
        ['runs', 'network'],
        ['runs', 'show', run, 'network'],
      ]) {
        const { stdout } = await one.run(...words);
        expect(stdout).toContain(`incomplete, 1 of 2 actions done, undo begun by ${short}`);
      }
      expectCode(await one.runAt(at(4), ...PLAIN, '--resume', short, ...ALLOW), 0);
      const [, after] = await listed();
      expect(after).toMatchObject({ undone_by: undo?.run });
      expect(after).not.toHaveProperty('undo_begun_by');
    }),
);

test.each(CHOSEN)('a run before a later complete apply of its files is not resumed by %s', by =>
  machines(async all => {
    const made = await withoutRemote(all);
    const { one } = made;
    await one.declare('a', 'd');
    expectCode(await one.runAt(at(3), ...PLAIN), 0);
    const resumed = await one.runAt(at(4), ...PLAIN, '--resume', chosenBy(by, made));
    expectCode(resumed, 6);
    expect(resumed.stderr).toContain('of the same files is complete');
    expect(await all.groups()).toEqual(['a', 'b', 'd']);
  }),
);

test('a later complete apply of some of the objects does not keep a run from being resumed', () =>
  machines(async all => {
    const { one, run } = await withoutRemote(all);
    await one.declare('a', 'b', 'c', 'd');
    expectCode(await one.runAt(at(3), ...PLAIN, '--only', 'group/d'), 0);
    expectCode(await one.runAt(at(4), ...PLAIN, '--resume', run), 0);
    expect(await all.groups()).toEqual(['a', 'b', 'c', 'd']);
  }));

test('an apply before a run does not keep it from being resumed', { tags: 'variation' }, () =>
  machines(async all => {
    const { one, run } = await withoutRemote(all);
    expectCode(await one.runAt(at(3), ...PLAIN, '--resume', run), 0);
    expect(await all.groups()).toEqual(['a', 'b', 'c']);
  }),
);

test('an undone run is not resumed on another machine', () =>
  machines(async all => {
    const { one, run } = await atRemote(all);
    const undo = ['apply', 'network', '--undo', run, ...ALLOW, '--yes'];
    expectCode(await one.runAt(at(3), ...undo), 0);
    const two = await all.machine('two');
    for (const machine of [one, two]) {
      const resumed = await machine.runAt(at(4), 'apply', 'network', '--resume', run, '--yes');
      expectCode(resumed, 6);
      expect(resumed.stderr).toContain('it was undone by the run');
    }
    expect(await all.groups()).toEqual(['a']);
  }));

test(
  'an undone run whose lock was a file is not closed at the remote, and the command that keeps what it left is named',
  { tags: 'variation' },
  () =>
    machines(async all => {
      const { one, run } = await withoutRemote(all);
      expectCode(await one.runAt(at(3), ...PLAIN, '--undo', ...ALLOW), 0);
      const refused = await one.runAt(at(4), 'apply', 'network', '--abandon', run);
      expectCode(refused, 64);
      const command = ['apply', 'network', '--abandon', run, '--keep-left', '--lock', 'file'];
      expect(refused.stderr).toContain(`\`meshform ${command.join(' ')}\``);
      expectCode(await one.runAt(at(5), ...command), 0);
    }),
);
