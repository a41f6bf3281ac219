// Refusals about places, in sentences: the lock, the journal, and where secrets are kept.
import { relative } from 'node:path';
import type { LockOwner } from '../../apply/lock/lock.ts';
import type { JournalRefusal, LockRefusal, PlaceRefusal } from '../../apply/refusal.ts';
import { nameText, pathText, quoted } from '../../model/text/visible.ts';
import type { Io } from '../io.ts';

/** A message, what to do next, and what the message counts up. */
export type Sentence = readonly [message: string, hint: string, lines?: readonly string[]];

/** What a person is told of a place that cannot be used. */
export function sentenceOfPlace(
  refusal: LockRefusal | JournalRefusal | PlaceRefusal,
  io: Io,
): Sentence {
  switch (refusal.refused) {
    case 'locked': {
      const { owner, path } = refusal;
      const file = pathText(relative(io.cwd, path));
      const hint = `wait until it ends; if it no longer runs, its lock expires at ${timeOf(owner.until)}, or delete ${file}`;
      return [`another apply is running: ${ownerText(owner, io)}`, hint];
    }
    case 'lock-unusable':
      return [
        `the lock ${quoted(refusal.path)} cannot be taken: ${refusal.why}`,
        'allow writing in that folder, or set MESHFORM_JOURNALS to another one',
      ];
    case 'journal-unwritable':
      return [
        `no journal can be written at ${quoted(refusal.path)}: ${refusal.why}`,
        'give another place with --journal FILE',
      ];
    case 'journal-unreadable':
      return [`the journal ${quoted(refusal.file)} cannot be read: ${refusal.why}`, NAMED];
    case 'journal-invalid':
      return [`${quoted(refusal.file)} is no journal to go by: ${refusal.why}`, PLAN_AGAIN];
    case 'no-journal':
      return [
        `no journal of an apply lies beside ${quoted(refusal.folder)}`,
        'name one with --resume FILE',
      ];
    case 'secret-place':
      return [`no secret can be kept: ${refusal.why}`, 'choose another place with --secrets-to'];
    case 'secret-names':
      return [
        `the secrets of ${refusal.addresses.join(', ')} would all be called ${quoted(refusal.name)}`,
        'use --secrets-to file:PATH or exec:COMMAND, which tell them apart',
      ];
  }
}

const NAMED =
  'journals lie in .meshform/journal/ beside the files, unless MESHFORM_JOURNALS is set';
const PLAN_AGAIN =
  'name the journal of an apply as that apply left it, or make a new plan and apply it';

/** Who holds a lock, and for how long already. */
export function ownerText({ pid, host, since }: LockOwner, { now }: Pick<Io, 'now'>): string {
  const minutes = Math.max(0, Math.floor((now() - since) / 60_000));
  const age = minutes === 0 ? 'less than a minute' : `${minutes} min`;
  return `process ${pid} on ${nameText(host)}, since ${timeOf(since)} (${age})`;
}

function timeOf(milliseconds: number): string {
  const time = new Date(milliseconds);
  return Number.isNaN(time.getTime()) ? 'an unknown time' : time.toISOString();
}
