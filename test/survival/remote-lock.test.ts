// Twelve machines that share nothing but the Git remote take the lock of an account and write under it. Some of them stand still for longer
// than the lock lasts, some are lost, the remote is cut off, and answers of it are lost.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sharedRefs } from '../../src/apply/lock/accountRefs.ts';
import { journalsAt } from '../../src/apply/lock/journalBeside.ts';
import { seededRandom } from '../../src/emulator/index.ts';
import { separateObjects } from '../../src/read/remote/objectFolder.ts';
import { isFault } from '../../src/read/remote/remoteRefs.ts';
import { inFolder } from '../support/cli.ts';
import { git } from '../support/git.ts';
import { patience, proof } from '../support/proof.ts';
import { ACCOUNT, BASE, type Errand, LOCK, LONGEST_WRITE, MOMENTS, TTL } from './lockErrand.ts';
import { LockFleet, type Told } from './lockFleet.ts';

const MACHINES = 12;
const ROUNDS = { slice: 2, full: 400 };

/** A waiting machine looks so often, in milliseconds. */
const LOOKS_EVERY = 5000;

test(
  'no two of 12 machines that share a Git remote begin to write concurrently, and only a holder of the lock moves the base',
  () =>
    inFolder(async folder => {
      const { count, seed, found } = proof('the lock in a Git remote, 12 processes', ROUNDS);
      const random = seededRandom(seed);
      const fleet = new LockFleet(folder);
      onTestFinished(() => fleet.close());
      await fleet.start(MACHINES);
      const figures = new Map<string, number>();
      for (let round = 0; round < count; round++) {
        const about = `seed ${seed}, round ${round}`;
        const history = await drawnRound(fleet, { round, random });
        const text = () => `${about}\n${history.told.map(one => JSON.stringify(one)).join('\n')}`;
        const failed = history.told.filter(({ is }) => is === 'failed');
        expect(failed, text()).toEqual([]);
        const refused = history.told.filter(({ why }) => why === 'remote-refuses');
        expect(refused, text()).toEqual([]);
        const { overlaps, excused } = overlapping(history);
        expect(overlaps, text()).toEqual([]);
        expect(basesMovedWithoutLock(history), text()).toEqual([]);
        expect(takenLate(history), text()).toEqual([]);
        expect(await journalsNotFound(fleet, history), text()).toEqual([]);
        await fleet.tidy();
        countIn(figures, history, excused);
      }
      const of = (name: string) => figures.get(name) ?? 0;
      found(
        `${of('held')} locks, ${of('writes')} writes, ${of('taken over')} taken over; ${of('stops')} stops, ${of('kills')} kills, ${of('cut off')} times without the remote, ${of('answers')} lost answers: no two began a write at once, but for ${of('excused')} writes after a stop between check and write; no base was moved without the lock, and each journal was found in a new clone`,
      );
      if (count > 20)
        for (const name of ['stops', 'kills', 'taken over'])
          expect(of(name)).toBeGreaterThan(count / 20);
    }),
  patience(ROUNDS, 30_000),
);

/** What happened in a round. */
interface History {
  readonly told: readonly Told[];
  /** The machine that asks from the beginning until it gets the lock, and is neither stopped nor killed while it waits. */
  readonly heir: string | undefined;
  /** The chain of bases at the end, by the runs that moved it. */
  readonly chain: readonly string[];
  /** Runs whose lock another run took over. */
  readonly superseded: ReadonlySet<string>;
  readonly stopped: ReadonlyMap<string, number>;
  readonly killed: ReadonlyMap<string, number>;
  /** When the remote was away. */
  readonly away: readonly { readonly from: number; readonly to: number }[];
  readonly answersLost: number;
}

async function drawnRound(
  fleet: LockFleet,
  { round, random }: { readonly round: number; readonly random: () => number },
): Promise<History> {
  const isDrawn = (share: number) => random() < share;
  const upTo = (most: number) => Math.floor(random() * most);
  const superseded = new Set<string>();
  const stopped = new Map<string, number>();
  const killed = new Map<string, number>();
  const away: History['away'][number][] = [];
  let answersLost = 0;
  const errands = drawnErrands(round, random);
  if (isDrawn(0.3)) {
    const lasts = 1000 + upTo(20_000);
    fleet.later(upTo(60_000), () => {
      away.push({ from: fleet.now, to: fleet.now + lasts });
      return fleet.cutOff(lasts);
    });
  }
  if (isDrawn(0.3))
    fleet.later(upTo(60_000), () => {
      answersLost += 1;
      return fleet.loseAnAnswer();
    });
  const stopLength = () => TTL + upTo(2 * TTL);
  const told = await fleet.send(errands, ({ is, run, at }) => {
    if (is === 'stopping') {
      stopped.set(run, at);
      fleet.continues(run, stopLength());
    }
    if (is === 'dying') killed.set(run, at);
    if (is !== 'held') return;
    for (const other of holdersBefore(fleet)) if (other !== run) superseded.add(other);
    // At any moment, in the middle of a command of git as well.
    const does = random();
    if (does < 0.2 && !errands.some(({ id, insists }) => id === run && insists))
      setTimeout(() => {
        const isStop = does < 0.1;
        const time = fleet.now;
        if (isStop ? fleet.stop(run, stopLength()) : fleet.kill(run))
          (isStop ? stopped : killed).set(run, time);
      }, upTo(400));
  });
  const log = git(fleet.remote, 'log', '--format=%s', '--ignore-missing', BASE, '--');
  const chain = log.split('\n').filter(Boolean);
  const heir = errands.find(({ insists }) => insists)?.id;
  return { told, heir, chain, superseded, stopped, killed, away, answersLost };
}

function drawnErrands(round: number, random: () => number): Errand[] {
  const upTo = (most: number) => Math.floor(random() * most);
  const heir = upTo(MACHINES);
  return Array.from({ length: MACHINES }, (_, i) => {
    const isHeir = i === heir;
    const moment = MOMENTS[upTo(MOMENTS.length)] ?? 'in a write';
    const does = random() < 0.5 ? 'stopping' : 'dying';
    const isFated = !isHeir && random() < 0.5;
    const id = `00000000-0000-4000-8000-${String(round * 100 + i).padStart(12, '0')}`;
    return {
      id,
      after: isHeir || random() < 0.6 ? 0 : upTo(3 * TTL),
      wait: isHeir ? 3_600_000 : random() < 0.8 ? 0 : upTo(60_000),
      insists: isHeir,
      isPlanned: random() < 0.5,
      writes: Array.from({ length: 2 + upTo(3) }, () => ({
        pause: upTo(8000),
        lasts: upTo(LONGEST_WRITE),
      })),
      fate: isFated ? { moment, does } : undefined,
    };
  });
}

// Each state of the lock follows from the one before. Only a lock that was given back has none.
function holdersBefore({ remote }: LockFleet): string[] {
  try {
    const log = git(remote, 'log', '--format=%b', '--ignore-missing', LOCK, '--');
    return [...log.matchAll(/^id: (.*)$/gm)].map(([, id = '']) => id);
  } catch {
    return [];
  }
}

interface Write {
  readonly run: string;
  readonly from: number;
  readonly to: number;
  /** Whether time passed between the last check and the write, because the machine stood still. */
  readonly isExcused: boolean;
}

function overlapping({ told, stopped }: History) {
  const writes = told.flatMap(({ is, run, at, readAt }, i): Write[] => {
    if (is !== 'begins a write') return [];
    const end = told.slice(i).find(one => one.run === run && one.is === 'has written');
    const to = Math.min(end?.at ?? Number.POSITIVE_INFINITY, at + LONGEST_WRITE);
    return [{ run, from: at, to, isExcused: at > readAt && stopped.has(run) }];
  });
  const pairs = writes.flatMap((one, i) =>
    writes
      .slice(i + 1)
      .filter(other => other.run !== one.run && one.from < other.to && other.from < one.to)
      .map(other => [one, other] as const),
  );
  const excused = pairs.filter(([one, other]) => one.isExcused || other.isExcused);
  return { overlaps: pairs.filter(pair => !excused.includes(pair)), excused: excused.length };
}

function basesMovedWithoutLock({ told, chain, superseded, killed }: History): string[] {
  const moved = new Set(told.filter(({ pushed }) => pushed === 'done').map(({ run }) => run));
  const ended = told.filter(({ is, run }) => is === 'ended' && !killed.has(run));
  return [
    ...chain.filter(run => superseded.has(run)).map(run => `${run} had lost its lock`),
    ...[...moved].filter(run => !chain.includes(run)).map(run => `${run} moved no base`),
    ...ended
      .filter(({ run, pushed }) => chain.includes(run) && pushed !== 'done')
      .map(({ run, pushed }) => `${run} moved the base, and says ${pushed}`),
  ];
}

// After a machine that has the lock is gone, the one that waits gets it: whoever begins to ask later watches the lock for its time
// first. A machine that was stopped or killed at any moment is not counted: a push that it had sent may renew the lock while time goes on.
function takenLate({ told, heir, away }: History): string[] {
  const held = told.filter(({ is }) => is === 'held');
  const gone = told.filter(({ moment }) => moment && moment !== 'before it takes the lock');
  return gone.flatMap(({ run, at }) => {
    const own = held.findIndex(one => one.run === run);
    const hadEnded = told.some(one => one.run === run && one.is === 'ended' && one.at <= at);
    const later = held.slice(own + 1);
    // Another machine had taken the lock over before this one was gone.
    const hadLost = later.some(one => one.at < at);
    const next = later.find(one => one.at >= at);
    const isAwaited = !held.some(one => one.run === heir && one.at <= at);
    if (own < 0 || hadEnded || hadLost || next === undefined || !isAwaited) return [];
    const isCutOff = away.some(({ from, to }) => from <= next.at && to >= at);
    const took = next.at - at;
    return isCutOff || took <= TTL + LOOKS_EVERY ? [] : [`${run}: taken over after ${took} ms`];
  });
}

async function journalsNotFound(fleet: LockFleet, { told }: History): Promise<string[]> {
  const folder = fleet.clone('new-clone');
  const state = join(fleet.remote, '../new-state');
  const place = { folder, host: { env: process.env } };
  const objects = await separateObjects(place, { state, now: fleet.now });
  const remote = { objects, name: 'origin', patience: 60_000 };
  const refs = await sharedRefs(remote, ACCOUNT);
  if (isFault(refs)) return [refs.why];
  const journals = await journalsAt(remote, refs, { account: ACCOUNT, now: () => fleet.now });
  const texts = (await journals.all()).map(({ text }) => text);
  for (const path of [folder, state]) await rm(path, { recursive: true, force: true });
  const begun = told.filter(({ is }) => is === 'begun').map(({ run }) => run);
  return begun.filter(run => !texts.some(text => text.startsWith(`the journal of ${run}\n`)));
}

function countIn(figures: Map<string, number>, history: History, excused: number): void {
  const { told, superseded, stopped, killed, away, answersLost } = history;
  const of = (what: Told['is']) => told.filter(({ is }) => is === what).length;
  const more = {
    held: of('held'),
    writes: of('begins a write'),
    'taken over': superseded.size,
    stops: stopped.size,
    kills: killed.size,
    'cut off': away.length,
    answers: answersLost,
    excused,
  };
  for (const [name, n] of Object.entries(more)) figures.set(name, (figures.get(name) ?? 0) + n);
}
