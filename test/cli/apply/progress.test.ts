// How far a run has come: a status line that leaves nothing behind where a person watches, a line an action elsewhere.
import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../../src/apply/port.ts';
import { type Io, say } from '../../../src/cli/io.ts';
import { filteredOutput } from '../../../src/cli/outputFilter.ts';
import { type Progress, progressOn } from '../../../src/cli/progress.ts';
import { addressOf, keyOf } from '../../../src/model/key.ts';
import { actionId, kindName, remoteId } from '../../../src/model/names.ts';
import type { ShownAction } from '../../../src/model/plan.ts';
import { KnownSecrets } from '../../../src/model/secrets/knownSecrets.ts';
import { textWidth } from '../../../src/report/text/width.ts';
import { screen } from '../../support/page/screen.ts';
import { fc } from '../../support/seeded.ts';

function action(name: string): ShownAction {
  const kind = kindName('group');
  const key = keyOf([name]);
  const address = addressOf(kind, key);
  return {
    id: actionId(`create ${address}`),
    address,
    kind,
    key,
    verb: 'create',
    fields: {},
    after: [],
    writes: [],
    hazards: [],
    requests: 1,
    precondition: { type: 'absent', except: [] },
  };
}

const start = (name: string): RunEvent => ({ type: 'start', action: action(name) });

function end(name: string, skippedBy?: string): RunEvent {
  const { id, address } = action(name);
  const outcome =
    skippedBy === undefined
      ? ({ status: 'done', remoteId: remoteId('g1'), notes: [] } as const)
      : ({ status: 'skipped', blockedBy: actionId(skippedBy) } as const);
  return { type: 'end', action: action(name), outcome: { action: id, address, ...outcome } };
}

/** A terminal with a clock that a test moves. */
function terminal(columns: number, { env = {}, isTerminal = true, total = 2 } = {}) {
  const shown = screen(columns);
  const written: string[] = [];
  let now = 0;
  let width = columns;
  const ticks = new Set<() => void>();
  const sink = {
    write: (text: string) => {
      written.push(text);
      shown.write(text);
    },
    isTerminal,
    get columns() {
      return width;
    },
  };
  const io: Io = filteredOutput({
    stdout: sink,
    stderr: sink,
    stdin: async () => '',
    secrets: new KnownSecrets(),
    env,
    cwd: '/',
    self: { pid: 1, host: 'test', isAlive: () => true },
    now: () => now,
    monotonic: () => 0,
    random: () => 0,
    sleep: async () => {},
    onInterrupt: () => () => {},
    ask: async () => 'yes',
    every: (_, tick) => {
      ticks.add(tick);
      return () => ticks.delete(tick);
    },
    abort: () => {
      throw new Error('aborted');
    },
  });
  return {
    io,
    ticks,
    text: () => written.join(''),
    lines: () => shown.lines().filter(Boolean),
    progress: progressOn(io, total),
    pass: (milliseconds: number) => {
      now += milliseconds;
      for (const tick of ticks) tick();
    },
    resize: (next: number) => {
      width = next;
      shown.resize(next);
    },
  };
}

describe('the progress of an apply on a terminal', () => {
  test('shows a bar, the elapsed time, the remaining time, and the running actions', () => {
    const { progress, lines, pass } = terminal(120, { total: 4 });
    progress.running(start('a'));
    progress.running(start('b'));
    expect(lines()).toEqual([
      '[--------------------] 0/4  0:00 elapsed  creating group.a, creating group.b',
    ]);
    pass(65_000);
    progress.running(end('a'));
    expect(lines()).toEqual([
      '[1/4] created group.a',
      '[#####---------------] 1/4  1:05 elapsed, about 3:15 left  creating group.b',
    ]);
    pass(3_600_000);
    expect(lines().at(-1)).toContain('1:01:05 elapsed');
    progress.clear();
    expect(lines()).toEqual(['[1/4] created group.a']);
  });

  test.each([20, 40, 60, 80, 200])('never wraps a line at %i columns', columns => {
    const { progress, lines, pass } = terminal(columns, { total: 10 });
    progress.running(start('a name that is longer than the terminal is wide, whatever it is'));
    progress.running(start('漢字の名前 👋 名前'));
    pass(5000);
    progress.running(end('漢字の名前 👋 名前'));
    const status = lines().at(-1) ?? '';
    expect(textWidth(status)).toBeLessThan(columns);
    expect(status).toContain('1/10');
    expect(status).toContain('0:05');
  });

  test('prints other messages on lines of their own, and keeps the status below', () => {
    const { io, progress, lines } = terminal(60);
    progress.running(start('a'));
    say(io.stderr, 'GET /api/groups returned 503; trying again in 0.5 s');
    say(io.stdout, '{"type":"start"}');
    expect(lines()).toEqual([
      'GET /api/groups returned 503; trying again in 0.5 s',
      '{"type":"start"}',
      '[----------] 0/2  0:00  creating group.a',
    ]);
  });

  test('ends an unfinished line of other output first', () => {
    const { io, progress, lines } = terminal(60);
    progress.running(start('a'));
    io.stderr.write('half ');
    io.stderr.write('a line\n');
    expect(lines()[0]).toBe('half a line');
    expect(lines()).toHaveLength(2);
  });

  test('lists skipped actions on one line, with as many names as fit', () => {
    const { progress, lines } = terminal(80, { total: 31 });
    const names = Array.from({ length: 30 }, (_, i) => `group-${i}`);
    progress.running(end('a'));
    for (const name of names) progress.running(end(name, 'create group.a'));
    progress.clear();
    expect(lines()).toEqual([
      '[1/31] created group.a',
      '[31/31] skipped 30 actions: create group.group-0 and 29 more',
    ]);
  });

  test('shortens a long name of a skipped action, but not the number of skipped actions', () => {
    const { progress, lines } = terminal(60, { total: 3 });
    for (const name of ['group-with-a-long-name', 'b', 'c'])
      progress.running(end(name, 'create group.x'));
    progress.clear();
    expect(lines()).toEqual(['[3/3] skipped 3 actions: create group.group-with… and 2 more']);
  });

  test('leaves no wrapped remains after the terminal became narrower', () => {
    const { progress, lines, resize } = terminal(80, { total: 3 });
    progress.running(start('a name that fills most of the line that there is for it'));
    resize(20);
    progress.running(start('b'));
    expect(lines()).toHaveLength(1);
    progress.clear();
    expect(lines()).toEqual([]);
  });

  test('leaves no characters of a name behind', () => {
    const unit = fc.constantFrom(...'ab 漢字ｱ한é👋🏽🇩🇪👩‍💻ก็नि\u0301\u200b\u202e\n\t\r𠀀');
    const name = fc.string({ unit, minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 1 }),
        fc.integer({ min: 8, max: 90 }),
        (names, at) => {
          const { progress, lines, pass } = terminal(at, { total: names.length });
          for (const one of names) {
            progress.running(start(one));
            pass(1000);
          }
          progress.clear();
          expect(lines()).toEqual([]);
        },
      ),
    );
  });

  test('shows the same line without colour if NO_COLOR is set', () => {
    const { progress, lines, text } = terminal(60, { env: { NO_COLOR: '1' } });
    progress.running(start('a'));
    expect(lines()).toHaveLength(1);
    expect(text()).not.toMatch(/\[\d+m/);
  });

  test('stops its clock when the run ends', () => {
    const { progress, ticks } = terminal(60);
    progress.running(start('a'));
    expect(ticks.size).toBe(1);
    progress.clear();
    expect(ticks.size).toBe(0);
  });
});

test.each<[string, boolean, Readonly<Record<string, string>>]>([
  ['no terminal', false, {}],
  ['a pipeline', true, { CI: 'true', NO_COLOR: '1' }],
  ['a dumb terminal', true, { TERM: 'dumb' }],
])('%s: progress is one line per action, and no line is rewritten', (_, isTerminal, env) => {
  const { progress, text } = terminal(100, { isTerminal, env, total: 4 });
  const run = (watch: Progress) => {
    watch.fetching(1, 4);
    watch.running(start('a b'));
    watch.running(end('a b'));
    watch.running(end('c', 'create group.x'));
    watch.running(end('d', 'create group.x'));
    watch.clear();
  };
  run(progress);
  expect(text()).toBe(
    '[1/4] created group["a b"]\n[3/4] skipped 2 actions: create group.c, create group.d\n',
  );
});
