// A machine that takes the lock of an account whenever its parent says so, and writes to the account under it. The parent has the clock: a
// pause ends when the parent says so. Each step is reported before the next one, even if this process is stopped or killed in between.
import { openSync, readSync, writeSync } from 'node:fs';
import { sharedName } from '../../src/apply/journal/sharedJournals.ts';
import type { HeldAccountLock, SharedStore } from '../../src/apply/lock/accountLock.ts';
import { gitAccountLock } from '../../src/apply/lock/gitAccountLock.ts';
import { writeCommit } from '../../src/read/git/writeObjects.ts';
import { separateObjects } from '../../src/read/remote/objectFolder.ts';
import {
  ACCOUNT,
  BASE,
  type Errand,
  LONGEST_WRITE,
  type Moment,
  type Report,
  TTL,
} from './lockErrand.ts';

const [, , folder = '', state = '', clockFile = ''] = process.argv;
const clock = openSync(clockFile, 'r');
let readAt = 0;
const now = (): number => {
  const bytes = Buffer.alloc(8);
  readSync(clock, bytes, 0, 8, 0);
  readAt = bytes.readDoubleLE();
  return readAt;
};

const report = (is: Report['is'], more: Partial<Report> = {}): void => {
  const before = readAt;
  writeSync(3, `${JSON.stringify({ ...more, is, readAt: before, at: now() })}\n`);
};

const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();
const sleep = (milliseconds: number): Promise<void> =>
  new Promise(wake => {
    sleepers.add({ until: now() + milliseconds, wake });
    void tellWhenQuiet();
  });

let isWatching = false;
let isRunning = false;

// Time may pass once nothing is left to do: all flows sleep, or wait for those that do.
async function tellWhenQuiet(): Promise<void> {
  if (isWatching) return;
  isWatching = true;
  for (let quiet = 0; quiet < 4 && sleepers.size > 0; ) {
    await new Promise(resolve => setImmediate(resolve));
    const isBusy = process
      .getActiveResourcesInfo()
      .some(one => one === 'ProcessWrap' || one.startsWith('FSReq'));
    if (isBusy) await new Promise(resolve => setTimeout(resolve, 1));
    quiet = isBusy ? 0 : quiet + 1;
  }
  isWatching = false;
  const times = [...sleepers].map(({ until }) => until);
  if (times.length > 0) report('asleep', { until: Math.min(...times) });
  else if (!isRunning) report('idle');
}

function wakeAllDue(): void {
  for (const sleeper of [...sleepers])
    if (sleeper.until <= now()) {
      sleepers.delete(sleeper);
      sleeper.wake();
    }
  void tellWhenQuiet();
}

// Reports where it is. The parent may have said to stop or to end here, in the middle of everything.
function pass(moment: Moment, { fate }: Errand): void {
  if (fate?.moment !== moment) return;
  report(fate.does, { moment });
  process.kill(process.pid, fate.does === 'stopping' ? 'SIGSTOP' : 'SIGKILL');
}

async function run(errand: Errand): Promise<void> {
  const { id, wait } = errand;
  await sleep(errand.after);
  const place = { folder, host: { env: process.env } };
  const objects = await separateObjects(place, { state, now: now() });
  const since = new Date(now()).toISOString();
  const lock = gitAccountLock(
    { objects, name: 'origin', patience: 60_000 },
    {
      account: ACCOUNT,
      now,
      holder: { id, machine: folder, since },
      ttl: TTL / 1000,
      wait,
      clocks: { monotonic: now, wall: now },
      sleep,
    },
  );
  pass('before it takes the lock', errand);
  for (;;) {
    const name = sharedName(new Date(now()).toISOString(), id);
    const first = { name, plan: 'sha256:0', text: `${titleOf(errand)}\n` };
    const held = await lock.take(errand.isPlanned ? async () => first : undefined);
    if (!('refused' in held)) return withHeld(held, objects.place, errand);
    report('refused', { why: held.refused });
    if (!errand.insists) return;
    await sleep(1000);
  }
}

type Place = Awaited<ReturnType<typeof separateObjects>>['place'];

const titleOf = ({ id }: Errand): string => `the journal of ${id}`;

async function withHeld(held: HeldAccountLock, place: Place, errand: Errand): Promise<void> {
  report('held');
  pass('when it holds the lock', errand);
  let isOver = false;
  const renewing = async (): Promise<void> => {
    while (!isOver) {
      await sleep(held.renewEvery ?? TTL);
      if (!isOver) await held.renew();
    }
  };
  void renewing();
  const { store } = held;
  if (store === undefined) throw new Error('no store');
  const lines = [titleOf(errand)];
  const text = () => Promise.resolve(`${lines.join('\n')}\n`);
  const name =
    store.journals.nameOf(errand.id) ?? sharedName(new Date(now()).toISOString(), errand.id);
  store.keep({ name, plan: 'sha256:0', text, closed: text });
  if (store.isBegun || (await store.begin()).is === 'done') {
    report('begun', { name });
    await write(held, lines, errand);
  }
  pass('before its last push', errand);
  report('ended', { pushed: await end(store, place, errand.id) });
  isOver = true;
  await held.release();
}

async function write(held: HeldAccountLock, lines: string[], errand: Errand): Promise<void> {
  for (const [n, { pause, lasts }] of errand.writes.entries()) {
    await sleep(pause);
    if (n === 1) pass('before it checks', errand);
    if (!(await held.mayWrite(LONGEST_WRITE))) return report('lost');
    if (n === 1) pass('between check and write', errand);
    report('begins a write');
    if (n === 1) pass('in a write', errand);
    await sleep(lasts);
    report('has written');
    lines.push(`write ${n}`);
  }
}

async function end(store: SharedStore, place: Place, id: string): Promise<string> {
  const from = store.atRemote.get(BASE) ?? null;
  const parents = from === null ? [] : [from];
  const to = await writeCommit(place, { files: new Map(), parents, at: now(), message: id });
  const { is } = await store.end(
    { commit: to, digest: '', ref: BASE, recordedAt: '' },
    { ref: BASE, from, to },
    { name: 'base-0.json', text: to },
  );
  return is;
}

process.on('message', (order: Errand | 'wake') => {
  if (order === 'wake') return wakeAllDue();
  isRunning = true;
  run(order)
    .catch((error: unknown) => report('failed', { why: String(Object(error).stack) }))
    .finally(() => {
      isRunning = false;
      // The next renewal is not due any more.
      sleepers.clear();
      report('idle');
    });
});
report('idle');
