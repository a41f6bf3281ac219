// A plan is walked in its order, nothing that is shared is written twice at a time, and a failure stops only what needs it.
import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../src/apply/port.ts';
import { InvariantError, present } from '../../src/model/errors.ts';
import { addressOf } from '../../src/model/key.ts';
import { type Key, kindName } from '../../src/model/names.ts';
import type { Action } from '../../src/model/plan.ts';
import { apiError, type Call, lost, memory } from './memory.ts';
import { createOf, deleteOf, planOf, run, statuses, updateOf } from './plans.ts';

const group = (name: string, more = {}) => createOf('group', name, { name }, more);
const refuse = (name: string) => (call: Call) => {
  if (call.body?.name === name) throw lost(call);
};

/** Writes down what happens, and what was under way at the same time. */
function journal() {
  const running = new Set<Action>();
  const overlaps: [Action, Action][] = [];
  const lines: string[] = [];
  const onEvent = ({ type, action }: RunEvent): void => {
    lines.push(`${type} ${action.id}`);
    if (type === 'end') running.delete(action);
    else {
      for (const other of running) overlaps.push([other, action]);
      running.add(action);
    }
  };
  return { onEvent, lines, overlaps };
}

describe('the order', () => {
  test('follows the dependencies', async () => {
    const a = group('a');
    const b = group('b', { after: [a] });
    const c = group('c', { after: [a] });
    const d = group('d', { after: [b, c] });
    const { onEvent, lines } = journal();
    const { outcomes } = await run(planOf([a, b, c, d]), memory(), { onEvent });
    expect(statuses(outcomes)).toEqual(['done', 'done', 'done', 'done']);
    const at = (line: string) => lines.indexOf(line);
    for (const [first, then] of [
      [a, b],
      [a, c],
      [b, d],
      [c, d],
    ] as const) {
      expect(at(`start ${then.id}`)).toBeGreaterThan(at(`end ${first.id}`));
    }
  });

  test('the order of the outcomes is the plan’s, whichever action ends first', async () => {
    const slow = group('slow');
    const quick = group('quick');
    const account = memory([], {
      before: async ({ body }) => {
        for (let i = 0; body?.name === 'slow' && i < 9; i++) await new Promise(setImmediate);
      },
    });
    const { onEvent, lines } = journal();
    const { outcomes } = await run(planOf([slow, quick]), account, { onEvent });
    expect(lines.indexOf(`end ${quick.id}`)).toBeLessThan(lines.indexOf(`end ${slow.id}`));
    expect(outcomes.map(({ action }) => action)).toEqual([slow.id, quick.id]);
  });
});

describe('actions that write one object', () => {
  const shared = ['x', 'y'].map(key => addressOf(kindName('group'), key as Key));
  const x = present(shared[0], 'x');
  const y = present(shared[1], 'y');

  test('never overlap, however they share it, and the others do', async () => {
    const actions = [
      group('a', { writes: [x] }),
      group('b', { writes: [x, y] }),
      group('c', { writes: [y] }),
      group('d', { writes: [y, x] }),
      group('e'),
      group('x'),
    ];
    const { onEvent, overlaps } = journal();
    const { outcomes } = await run(planOf(actions), memory(), { onEvent, concurrency: 9 });
    expect(statuses(outcomes)).toEqual(actions.map(() => 'done'));
    const sharing = overlaps.filter(([one, other]) =>
      one.writes.some(address => other.writes.includes(address)),
    );
    expect(sharing).toEqual([]);
    expect(overlaps.length).toBeGreaterThan(0);
  });

  test('each run although the one before them failed', async () => {
    const actions = [group('a', { writes: [x] }), group('b', { writes: [x] })];
    const { outcomes } = await run(planOf(actions), memory([], { before: refuse('a') }));
    expect(statuses(outcomes)).toEqual(['unknown', 'done']);
  });
});

test('no more actions run at a time than requested', async () => {
  let now = 0;
  let most = 0;
  const onEvent = ({ type }: RunEvent): void => {
    now += type === 'start' ? 1 : -1;
    most = Math.max(most, now);
  };
  const actions = Array.from({ length: 12 }, (_, i) => group(`g${i}`));
  await run(planOf(actions), memory(), { onEvent, concurrency: 3 });
  expect(most).toBe(3);
});

describe('a failure', () => {
  test('skips the actions that depend on it, directly or not, and no others', async () => {
    const a = group('a');
    const b = group('b', { after: [a] });
    const c = group('c', { after: [b] });
    const other = group('other');
    const account = memory([], { before: refuse('a') });
    const { outcomes } = await run(planOf([a, b, c, other]), account);
    expect(outcomes).toMatchObject([
      { action: a.id, status: 'unknown' },
      { action: b.id, status: 'skipped', blockedBy: a.id },
      { action: c.id, status: 'skipped', blockedBy: b.id },
      { action: other.id, status: 'done' },
    ]);
    expect(new Set(account.sent.map(({ name }) => name))).toEqual(new Set(['a', 'other']));
  });

  test('a failure of a new object keeps the old object whose delete depends on it', async () => {
    const old = { id: 'g1', name: 'old' };
    const made = group('new');
    const account = memory([old], { before: refuse('new') });
    const { outcomes } = await run(
      planOf([made, deleteOf('group', 'old', old, { after: [made] })]),
      account,
    );
    expect(statuses(outcomes)).toEqual(['unknown', 'skipped']);
    expect(account.objects.has('g1')).toBe(true);
  });
});

describe('with --on-error stop', () => {
  test('nothing starts after a failure; running actions finish', async () => {
    const a = group('a');
    const b = group('b');
    const c = group('c');
    const account = memory([], {
      before: call => {
        if (call.body?.name === 'a') throw apiError('API_INVALID', call);
      },
    });
    const options = { onError: 'stop', concurrency: 2 } as const;
    const { outcomes } = await run(planOf([a, b, c]), account, options);
    expect(outcomes).toMatchObject([
      { status: 'failed' },
      { status: 'done' },
      { status: 'skipped', blockedBy: a.id },
    ]);
  });
});

describe('the time limit of a run', () => {
  test('starts no more actions, and reports each', async () => {
    const account = memory();
    const isOver = () => account.calls.length > 0;
    const plan = planOf([group('a'), group('b')]);
    const { outcomes } = await run(plan, account, { isOver, concurrency: 1 });
    expect(outcomes).toMatchObject([
      { status: 'done' },
      { status: 'skipped', blockedBy: 'deadline' },
    ]);
  });
});

describe('an interrupt', () => {
  test('starts no more actions, finishes those running, and reports each', async () => {
    const stop = new AbortController();
    const first = updateOf('group', 'a', { id: 'g1', name: 'a' }, { name: 'a2' });
    const second = group('b');
    const third = group('c', { after: [first] });
    const account = memory([{ id: 'g1', name: 'a' }], { before: () => stop.abort() });
    const { outcomes } = await run(planOf([first, second, third]), account, {
      signal: stop.signal,
      concurrency: 1,
    });
    expect(outcomes).toMatchObject([
      { status: 'done' },
      { status: 'skipped', blockedBy: 'interrupt' },
      { status: 'skipped', blockedBy: 'interrupt' },
    ]);
    expect(account.calls).toEqual(['read group g1', 'update group g1', 'read group g1']);
  });

  test('an interrupt before the first action writes nothing', async () => {
    const account = memory();
    const { outcomes } = await run(planOf([group('a')]), account, { signal: AbortSignal.abort() });
    expect(outcomes).toMatchObject([{ status: 'skipped', blockedBy: 'interrupt' }]);
    expect(account.calls).toEqual([]);
  });
});

describe('an internal error', () => {
  test('ends the run with its own error, after running actions are finished and reported', async () => {
    const broken = createOf('network', 'n', { name: 'n' });
    const running = group('a');
    const later = group('b', { after: [running] });
    const account = memory([], {
      before: call => {
        if (call.kind === 'network') throw new InvariantError('a bug');
      },
    });
    const { onEvent, lines } = journal();
    const ended = run(planOf([broken, running, later]), account, { onEvent });
    await expect(ended).rejects.toThrow(new InvariantError('a bug'));
    expect(lines).toContain(`end ${running.id}`);
    expect(account.calls).toEqual(['create network', 'create group']);
  });
});

test('an empty plan does nothing', async () => {
  expect(await run(planOf([]), memory())).toEqual({ outcomes: [], requests: 0, written: 0 });
});

test('the requests of the run are counted, and not those before it', async () => {
  const seen = { id: 'g1', name: 'a' };
  const account = memory([seen]);
  await run(planOf([group('before')]), account);
  const { requests } = await run(planOf([updateOf('group', 'a', seen, { name: 'b' })]), account);
  expect(requests).toBe(3);
});
