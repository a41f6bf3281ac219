// One apply at a time from one folder to one account.
import { createHash } from 'node:crypto';
import { join, relative } from 'node:path';
import type { Plan } from '../../model/plan.ts';
import { nameText, quoted } from '../../model/visible.ts';
import { reasonOf } from '../../read/fileText.ts';
import { type HeldLock, isOwner, type LockOwner, takeLock } from '../../read/lock.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { Stop } from '../stop.ts';

/** Takes the lock for carrying out `plan` at `url`. Throws a `Stop` where another apply has it. */
export async function lockFor(
  plan: Plan,
  { url, folder }: { readonly url: string; readonly folder: string },
  io: Io,
): Promise<HeldLock> {
  const account = createHash('sha256')
    .update(`${url}\n${plan.account ?? ''}`)
    .digest('hex');
  const path = join(folder, `${account.slice(0, 12)}.lock`);
  const { now, self } = io;
  const lock = await takeLock(path, { ...self, now }).catch((error: unknown) => {
    throw new Stop(EXIT.usage, `the lock ${quoted(path)} cannot be taken: ${reasonOf(error)}`);
  });
  if (isOwner(lock)) {
    const file = relative(io.cwd, path);
    const hint = `wait for it; if it is gone, its lock ends at ${timeOf(lock.until)}, or delete ${nameText(file)}`;
    throw new Stop(EXIT.refused, `another apply is under way: ${ownerText(lock, io)}`, hint);
  }
  if (lock.takenFrom)
    say(io.stderr, `took over the lock of an apply that ended: ${ownerText(lock.takenFrom, io)}`);
  return lock;
}

function ownerText({ pid, host, since }: LockOwner, { now }: Io): string {
  const minutes = Math.max(0, Math.floor((now() - since) / 60_000));
  const age = minutes === 0 ? 'less than a minute' : `${minutes} min`;
  return `process ${pid} on ${nameText(host)}, since ${timeOf(since)} (${age})`;
}

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();
