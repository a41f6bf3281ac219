// Prints the reports of a running apply: messages to stderr, the plan and its counts as text to
// stdout.
import type { ApplyHost } from '../../apply/host.ts';
import type { ApplyNote } from '../../apply/note.ts';
import type { UnusableNote } from '../../apply/recordedBase/newest.ts';
import { SIGNING_KEY } from '../../apply/signing/signer.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { pathText } from '../../model/text/visible.ts';
import { nearPath } from '../../read/files/nearPath.ts';
import type { Extent } from '../../report/plan/planReport.ts';
import { planText } from '../../report/plan/planText.ts';
import { unfinishedText } from '../../report/run/unfinishedText.ts';
import { countedOf, planLine } from '../../report/text/summary.ts';
import { styleFor } from '../colour.ts';
import { printFindings } from '../findings.ts';
import { type Io, say } from '../io.ts';
import { type Progress, progressOn } from '../progress.ts';
import { tellTests } from '../refusals/gateRefusals.ts';
import { ownerText } from '../refusals/placeRefusals.ts';
import { resumeCommand } from './resumeCommand.ts';

/**
 * The environment of an apply on this machine. It prints what the apply reports. If `isText`, it
 * prints to stdout.
 */
export function hostOf(
  io: Io,
  { kinds, isText, extent }: Pick<Printing, 'kinds' | 'isText' | 'extent'>,
): ApplyHost {
  const { now, sleep, self, cwd, env, secrets, every, projectFiles } = io;
  const progress = progressOn(io);
  const tell = (note: ApplyNote) =>
    print(note, { io, progress, kinds, isText, ...(extent && { extent }) });
  const { MESHFORM_JOURNALS: journals, [SIGNING_KEY]: signingKey } = env;
  return { now, sleep, every, self, cwd, env, secrets, journals, signingKey, projectFiles, tell };
}

interface Printing {
  readonly io: Io;
  readonly progress: Progress;
  readonly kinds: KindTable;
  readonly isText: boolean;
  readonly extent?: Extent;
}

function print(note: ApplyNote, { io, progress, kinds, isText, extent }: Printing): void {
  switch (note.note) {
    case 'lock-taken-over':
      say(io.stderr, `took over the expired lock of another apply: ${ownerText(note.from, io)}`);
      return;
    case 'cut-off':
      say(io.stderr, cutOffText(resumeCommand(note.journal, io)));
      return;
    case 'unfinished':
      for (const run of note.runs) say(io.stderr, unfinishedText(run, note));
      return;
    case 'findings':
      printFindings(note.findings, io);
      return;
    case 'planned-again':
      say(io.stderr, PLANNED_AGAIN);
      return;
    case 'planned': {
      if (!isText) return;
      const { plan } = note;
      // A run without actions writes no journal, so no journal contains that digest.
      const digest = plan.actions.length > 0 ? note.digest : undefined;
      io.stdout.write(planText(plan, kinds, styleFor(io.stdout, io), { ...extent, digest }));
      return;
    }
    case 'resuming':
      if (isText) say(io.stdout, planLine(note.plan));
      say(io.stderr, doneText(note));
      return;
    case 'judged':
      tellTests(note.gates, isText, io);
      return;
    case 'reading':
      progress.fetching(note.done, note.total);
      return;
    case 'read':
      progress.clear();
      return;
    case 'unusable-base-note':
      say(io.stderr, unusableNoteText(note, io));
      return;
    case 'another-key':
      say(io.stderr, ANOTHER_KEY);
  }
}

/** The warning about an untrusted file that should name the last recorded base. */
const unusableNoteText = ({ file, why }: UnusableNote, { cwd }: Pick<Io, 'cwd'>): string =>
  `warning: ${pathText(nearPath(cwd, file))} should name the base that was recorded last, and cannot be trusted: ${why}; the next apply that records a base replaces the file`;

type Resuming = Extract<ApplyNote, { readonly note: 'resuming' }>;

const cutOffText = (resume: string): string =>
  `the last apply was interrupted: continue it with ${resume}; this is a new plan`;

const doneText = ({ plan: { actions }, done, isLeast }: Resuming): string =>
  `${isLeast && done < actions.length ? 'at least ' : ''}${countedOf(done, actions.length, 'action', ['is', 'are'])} done already`;

const PLANNED_AGAIN =
  'another run had the lock of the account, or a base was recorded, since the account was read: meshform reads the account again';

const ANOTHER_KEY =
  'note: the plan was made with a different key (the API token, or MESHFORM_FINGERPRINT_KEY): its web addresses were compared only by host, and addresses with a secret host only by their sources';
