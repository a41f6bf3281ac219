// The lock of an account in a remote: taken by one, renewed, taken over from whoever is gone, and never written under by two.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { whyNotMoved } from '../../src/apply/lock/accountLock.ts';
import type { LeaseClocks } from '../../src/apply/lock/lease.ts';
import {
  type HeldRemoteLock,
  type LockRef,
  type LockSettings,
  type NotTaken,
  takeRemoteLock,
} from '../../src/apply/lock/remoteLock.ts';
import type { LockRecord } from '../../src/model/lockRecord.ts';
import type { Pushed, RefMove } from '../../src/read/remote/remoteRefs.ts';
import { virtualTime } from '../support/virtualTime.ts';

const REF = 'refs/meshform-locks/a1';
const BASE = 'refs/meshform-base/a1/network';
const TTL = 180;

/** A remote with refs and records of locks, as several machines share it. */
class SharedRemote {
  readonly refs = new Map<string, string>();
  readonly records = new Map<string, LockRecord>();
  /** What happens to the next pushes: the answer is lost after or before they are done, or they are refused. */
  troubles: ('lost answer' | 'lost request' | 'refused' | 'no deletion')[] = [];
  deletesNothing = false;
  isReachable = true;
  #count = 0;

  ref(): LockRef {
    return {
      ref: REF,
      read: async () => {
        if (!this.isReachable) return { why: 'no route to host' };
        const commit = this.refs.get(REF);
        return commit === undefined ? null : { commit, record: this.records.get(commit) ?? null };
      },
      make: async record => {
        this.#count += 1;
        const commit = `c${this.#count}`;
        this.records.set(commit, record);
        return { commit, objects: [] };
      },
      push: async moves => this.push(moves),
    };
  }

  push(moves: readonly RefMove[]): Pushed {
    const trouble = this.troubles.shift();
    if (!this.isReachable || trouble === 'lost request')
      return { is: 'unknown', why: 'no route to host' };
    if (moves.some(({ ref, from }) => (this.refs.get(ref) ?? null) !== from))
      return { is: 'moved', refs: new Map(this.refs) };
    if (trouble === 'refused') return { is: 'refused', why: 'no right to push' };
    if (this.deletesNothing && moves.some(({ to }) => to === null))
      return { is: 'refused', why: 'no deletions' };
    for (const { ref, to } of moves)
      if (to === null) this.refs.delete(ref);
      else this.refs.set(ref, to);
    return trouble === 'lost answer' ? { is: 'unknown', why: 'hung up' } : { is: 'done' };
  }

  holder(): string | undefined {
    return this.records.get(this.refs.get(REF) ?? '')?.id;
  }
}

interface Machines {
  readonly remote: SharedRemote;
  readonly clocks: LeaseClocks;
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly take: (
    id: string,
    settings?: Partial<LockSettings>,
  ) => Promise<HeldRemoteLock | NotTaken>;
}

function machines(): Machines {
  const remote = new SharedRemote();
  const { now, sleep } = virtualTime({ start: 1000 });
  const clocks = { monotonic: now, wall: now };
  return {
    remote,
    clocks,
    now,
    sleep,
    take: (id, settings = {}) =>
      takeRemoteLock(remote.ref(), {
        holder: { id, machine: `host of ${id}`, since: '2026-11-24T00:00:00Z' },
        ttl: TTL,
        wait: 0,
        clocks,
        sleep,
        ...settings,
      }),
  };
}

/** A lock that must be held. */
function asHeld(taken: HeldRemoteLock | NotTaken): HeldRemoteLock {
  if (taken.is !== 'held') throw new Error(`not held: ${taken.is}`);
  return taken;
}

describe('taking the lock of a holder that is known to have stopped', () => {
  const isEnded = ({ id }: LockRecord) => id === 'one';

  test('the lock is taken over immediately, and the former holder can write nothing more', async () => {
    const { take, now } = machines();
    const first = asHeld(await take('one'));
    const before = now();
    const waited: unknown[] = [];
    const second = asHeld(await take('two', { isEnded, onWaiting: lock => waited.push(lock) }));
    expect(now()).toBe(before);
    expect(waited).toEqual([]);
    expect(second.takenFrom?.record?.id).toBe('one');
    expect((await first.renew()).is).toBe('moved');
  });

  test('the lock of anybody else stays, and so does a lock that a person holds on purpose', async () => {
    const { remote, take } = machines();
    asHeld(await take('three'));
    const commit = remote.refs.get(REF) ?? '';
    const record = remote.records.get(commit);
    const taken = await take('two', { isEnded, sleep: async () => void asRenewed(remote) });
    expect(taken.is).toBe('taken');
    if (record)
      remote.records.set(remote.refs.get(REF) ?? '', { ...record, id: 'one', is: 'hold' });
    expect((await take('two', { isEnded })).is).toBe('on-hold');
  });
});

/** The holder renews its lock. */
function asRenewed(remote: SharedRemote): void {
  const commit = remote.refs.get(REF) ?? '';
  const record = remote.records.get(commit);
  remote.refs.set(REF, `${commit}'`);
  if (record) remote.records.set(`${commit}'`, record);
}

describe('taking a lock', () => {
  test('a free lock is taken immediately, and can be taken again once it is released', async () => {
    const { remote, take, now } = machines();
    const first = asHeld(await take('one'));
    expect(remote.holder()).toBe('one');
    expect(await first.release()).toEqual({ is: 'done' });
    asHeld(await take('two'));
    expect([remote.holder(), now()]).toEqual(['two', 1000]);
  });

  test('a run that sees a renewal gives up, and names the holder', async () => {
    const { remote, take, sleep } = machines();
    const first = asHeld(await take('one'));
    const second = take('two');
    await sleep(60_000);
    await first.renew([], 'sha256:abc');
    expect(await second).toMatchObject({
      is: 'taken',
      by: { record: { id: 'one', plan: 'sha256:abc', counter: 2 } },
    });
    expect(remote.holder()).toBe('one');
  });

  test('a run with a wait takes a lock that is released meanwhile', async () => {
    const { remote, take, sleep } = machines();
    const first = asHeld(await take('one'));
    const second = take('two', { wait: 600_000 });
    for (let renewals = 0; renewals < 3; renewals++) {
      await sleep(60_000);
      await first.renew();
    }
    await first.release();
    expect(asHeld(await second).takenFrom).toBeNull();
    expect(remote.holder()).toBe('two');
  });

  test('a lock that nobody renews is taken over once it was unchanged for its duration', async () => {
    const { remote, take, now } = machines();
    asHeld(await take('one'));
    const second = asHeld(await take('two'));
    expect(second.takenFrom).toMatchObject({ record: { id: 'one' } });
    expect([remote.holder(), now()]).toEqual(['two', 1000 + TTL * 1000]);
  });

  test('a lock that nobody can read is taken over after an hour', async () => {
    const { remote, take, now } = machines();
    remote.refs.set(REF, 'foreign');
    asHeld(await take('one'));
    expect(now()).toBe(1000 + 3_600_000);
  });

  test('a lock that demands more than an hour is taken over after an hour', async () => {
    const { take, now } = machines();
    asHeld(await take('one', { ttl: 9e9 }));
    asHeld(await take('two'));
    expect(now()).toBe(1000 + 3_600_000);
  });

  test('a lock held by a person is not taken until its time is over', async () => {
    const { remote, take, now, sleep } = machines();
    const hold: LockRecord = {
      is: 'hold',
      id: 'h',
      machine: 'laptop',
      since: '',
      reason: 'freeze',
      until: new Date(now() + 60_000).toISOString(),
      ttl: 0,
      counter: 1,
    };
    remote.records.set('hold', hold);
    remote.refs.set(REF, 'hold');
    expect(await take('one')).toMatchObject({
      is: 'on-hold',
      by: { record: { reason: 'freeze' } },
    });
    await sleep(60_000);
    expect(asHeld(await take('one')).takenFrom).toBeNull();
  });

  test('one of two runs that take over the same lock gets it', async () => {
    const { remote, take } = machines();
    asHeld(await take('gone'));
    const taken = await Promise.all([take('two'), take('three')]);
    expect(taken.map(({ is }) => is).filter(is => is === 'held')).toHaveLength(1);
    expect(['two', 'three']).toContain(remote.holder());
  });

  test('a lock whose push gets no response is held if the remote has it', async () => {
    const { remote, take, now } = machines();
    remote.troubles = ['lost answer'];
    asHeld(await take('one'));
    expect([remote.holder(), now()]).toEqual(['one', 1000]);
  });

  test('a remote that refuses the ref is quoted', async () => {
    const { remote, take } = machines();
    remote.troubles = ['refused'];
    expect(await take('one')).toEqual({ is: 'refused', why: 'no right to push' });
  });

  // As a forge does where the token may only read: it answers no push, and names no ref.
  test('a remote that allows reads and refuses pushes is quoted, after a few attempts', async () => {
    const { remote, take, now } = machines();
    remote.troubles = Array.from({ length: 100 }, () => 'lost request' as const);
    expect(await take('one')).toEqual({ is: 'refused', why: 'no route to host' });
    expect(remote.troubles.length).toBe(97);
    expect(now()).toBe(3000);
    remote.troubles = ['lost request', 'lost request'];
    asHeld(await take('two'));
  });

  test('a remote that allows reads and refuses pushes is not asked for ever to take over a lock', async () => {
    const { remote, take } = machines();
    asHeld(await take('one'));
    remote.troubles = Array.from({ length: 100 }, () => 'lost request' as const);
    expect(await take('two')).toEqual({ is: 'refused', why: 'no route to host' });
    expect(remote.holder()).toBe('one');
  });

  test('a remote that does not respond ends the attempt, but not immediately', async () => {
    const { remote, take, now } = machines();
    remote.isReachable = false;
    expect(await take('one')).toEqual({ is: 'unreachable', why: 'no route to host' });
    expect(now()).toBe(3000);
  });

  test.each([
    ['lost', 'hung up'],
    ['not sent either', undefined],
  ])(
    'a push that is not sent says nothing about the remote, whose first push was %s',
    async (before, mayBeOurs) => {
      const { remote, clocks, sleep } = machines();
      const unasked = { is: 'unknown', why: 'hung up', isUnasked: true } as const;
      const unsent = { ...unasked, why: 'the time is over', isUnsent: true } as const;
      let pushes = 0;
      const taken = await takeRemoteLock(
        {
          ...remote.ref(),
          // The remote answers no question either.
          read: async () => ({ why: 'the time is over' }),
          push: async () => (pushes++ === 0 && before === 'lost' ? unasked : unsent),
        },
        {
          holder: { id: 'one', machine: 'host of one', since: '2026-11-24T00:00:00Z' },
          ttl: TTL,
          wait: 0,
          clocks,
          sleep,
        },
      );
      expect(taken).toMatchObject({ is: 'unreachable' });
      expect('mayBeOurs' in taken ? taken.mayBeOurs : undefined).toBe(mayBeOurs);
    },
  );

  test('a push that is not sent has certainly moved nothing', () => {
    const unasked = { is: 'unknown', why: 'the time is over', isUnasked: true } as const;
    expect(whyNotMoved(unasked)).toEqual({ why: 'the time is over', isUnknown: true });
    expect(whyNotMoved({ ...unasked, isUnsent: true })).toEqual({ why: 'the time is over' });
  });

  test('a remote that does not respond for a moment does not prevent taking the lock', async () => {
    const { remote, take, sleep } = machines();
    remote.isReachable = false;
    const taking = take('one');
    await sleep(1500);
    remote.isReachable = true;
    asHeld(await taking);
  });

  test('a run that waits for the lock continues after the remote was unreachable for a while', async () => {
    const { remote, take, sleep } = machines();
    const first = asHeld(await take('one'));
    const second = take('two', { wait: 600_000 });
    await sleep(20_000);
    remote.isReachable = false;
    await sleep(60_000);
    remote.isReachable = true;
    await first.release();
    asHeld(await second);
    expect(remote.holder()).toBe('two');
  });

  test('a run that waits for the lock does not wait longer because of the remote', async () => {
    const { remote, take, sleep, now } = machines();
    asHeld(await take('one'));
    const second = take('two', { wait: 60_000 });
    await sleep(20_000);
    remote.isReachable = false;
    expect((await second).is).toBe('unreachable');
    expect(now()).toBeLessThanOrEqual(1000 + 60_000 + 5000);
  });
});

describe('holding a lock', () => {
  test('a write may begin only if it ends before others may take over the lock', async () => {
    const { remote, take, sleep } = machines();
    const lock = asHeld(await take('one'));
    await sleep(150_000);
    remote.isReachable = false;
    expect(await lock.mayWrite(30_000)).toBe(true);
    await sleep(1);
    remote.isReachable = true;
    remote.troubles = ['refused'];
    expect(await lock.mayWrite(30_000)).toBe(false);
  });

  test('a late renewal pauses writes until it succeeds', async () => {
    const { remote, take, sleep } = machines();
    const lock = asHeld(await take('one'));
    await sleep(160_000);
    remote.isReachable = false;
    const late = Promise.all([lock.mayWrite(30_000), lock.mayWrite(30_000)]);
    await sleep(5000);
    remote.isReachable = true;
    expect(await late).toEqual([true, true]);
    expect(remote.records.get(remote.refs.get(REF) ?? '')?.counter).toBe(2);
  });

  test('a renewal that never succeeds ends all writes when the time is over', async () => {
    const { remote, take, sleep, now } = machines();
    const lock = asHeld(await take('one'));
    await sleep(160_000);
    remote.isReachable = false;
    expect(await lock.mayWrite(30_000)).toBe(false);
    expect(now()).toBe(1000 + TTL * 1000);
  });

  test('the clock that shows more time counts: a machine that slept has lost its lock', async () => {
    const { clocks, take, sleep } = machines();
    const slept = { value: 0 };
    const asleep = { ...clocks, wall: () => clocks.wall() + slept.value };
    const lock = asHeld(await take('one', { clocks: asleep }));
    slept.value = TTL * 1000;
    expect(await lock.mayWrite(1)).toBe(false);
    await sleep(0);
  });

  test('a run that lost the lock moves no ref with it', async () => {
    const { remote, take } = machines();
    const first = asHeld(await take('one'));
    asHeld(await take('two'));
    expect((await first.release([{ ref: BASE, from: null, to: 'b' }])).is).toBe('moved');
    expect(remote.refs.get(BASE)).toBeUndefined();
    expect([remote.holder(), await first.mayWrite(1)]).toEqual(['two', false]);
  });

  test('a renewal whose response was lost is recognised as our own', async () => {
    const { remote, take, sleep } = machines();
    const lock = asHeld(await take('one'));
    await sleep(60_000);
    remote.troubles = ['lost answer'];
    expect(await lock.renew()).toEqual({ is: 'done' });
    remote.troubles = ['lost answer'];
    expect(await lock.renew([{ ref: BASE, from: null, to: 'b' }])).toEqual({ is: 'done' });
    expect(remote.refs.get(BASE)).toBe('b');
    expect((await lock.release()).is).toBe('done');
    expect(remote.refs.has(REF)).toBe(false);
  });

  test('a remote that does not delete refs gets a free lock instead', async () => {
    const { remote, take, now } = machines();
    remote.deletesNothing = true;
    const lock = asHeld(await take('one'));
    expect((await lock.release()).is).toBe('done');
    expect(remote.records.get(remote.refs.get(REF) ?? '')?.is).toBe('free');
    expect(asHeld(await take('two')).takenFrom).toBeNull();
    expect(now()).toBe(1000);
  });
});

test('two machines may never write concurrently in generated histories, whatever is lost, paused or late', async () => {
  const step = fc.record({
    machine: fc.nat(1),
    does: fc.oneof(
      { arbitrary: fc.constant('write'), weight: 6 },
      { arbitrary: fc.constant('take'), weight: 3 },
      fc.constantFrom('renew', 'release', 'stop', 'cut off', 'lose an answer'),
    ),
    pause: fc.oneof(fc.nat(2000), fc.nat(200_000)),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async steps => {
      const { remote, clocks, take, sleep, now } = machines();
      const held = new Map<number, HeldRemoteLock>();
      const taking = new Set<Promise<void>>();
      let writing: { readonly machine: number; readonly until: number } | null = null;
      const LIMIT = 30_000;
      for (const { machine, does, pause } of steps) {
        await sleep(pause);
        const lock = held.get(machine);
        if (does === 'take' && lock === undefined) {
          const attempt = take(`m${machine}`, { wait: 300_000, clocks }).then(taken => {
            if (taken.is === 'held') held.set(machine, taken);
            taking.delete(attempt);
          });
          taking.add(attempt);
        }
        if (does === 'write' && lock && (await lock.mayWrite(LIMIT))) {
          if (writing !== null && writing.machine !== machine)
            expect(now()).toBeGreaterThanOrEqual(writing.until);
          writing = { machine, until: now() + LIMIT };
        }
        if (does === 'renew') await lock?.renew();
        if (does === 'stop') held.delete(machine);
        if (does === 'cut off') remote.isReachable = !remote.isReachable;
        if (does === 'lose an answer') remote.troubles = ['lost answer'];
        if (does === 'release' && lock) {
          await lock.release();
          held.delete(machine);
          if (writing?.machine === machine) writing = null;
        }
      }
      remote.isReachable = true;
      await Promise.all(taking);
    }),
    { numRuns: 300 },
  );
});
