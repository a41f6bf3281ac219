// Journals of earlier applies: read for a command, or told of where one was cut off.
import { relative, resolve } from 'node:path';
import { gatesFault } from '../../access/gates/form.ts';
import { journalsIn, readJournal } from '../../apply/journal/journalFile.ts';
import { planFault } from '../../engine/plan/planFault.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { shippedSchema } from '../../kinds/registry.ts';
import { shippedSchemaCheck } from '../../kinds/schema/keywords.ts';
import type { Plan } from '../../model/plan.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { quoted } from '../../model/text/visible.ts';
import { reasonOf } from '../../read/files/fileText.ts';
import { journalOfText, type ReadJournal } from '../../report/run/journalLines.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { Stop } from '../stop.ts';
import { journalsFor } from './journalFolder.ts';

/** A journal and where it lies. */
export interface FoundJournal extends ReadJournal {
  readonly path: string;
}

const NAMED =
  'journals are in .meshform/journal/ beside the files, unless MESHFORM_JOURNALS is set';
const PLAN_ANEW = 'name an unchanged journal of an apply, or create a new plan and apply it';

/** The journal in `file`, or the command stops. */
export async function journalOrStop(file: string, io: Io): Promise<FoundJournal> {
  const path = resolve(io.cwd, file);
  const text = await readJournal(path).catch((error: unknown) => {
    throw new Stop(
      EXIT.invalid,
      `the journal ${quoted(file)} cannot be read: ${reasonOf(error)}`,
      NAMED,
    );
  });
  const read = journalOfText(text, schemas());
  if (typeof read === 'string')
    throw new Stop(EXIT.invalid, `${quoted(file)} is not a usable journal: ${read}`, PLAN_ANEW);
  return { ...read, path };
}

/** Throws a `Stop` where the plan of a journal cannot be gone by: somebody edited it, or another version made it. */
export function refuseBrokenPlan({ plan }: FoundJournal, kinds: KindTable): void {
  const fault = planFault(plan, kinds) ?? (plan.gates ? gatesFault(plan.gates) : null);
  if (fault === null) return;
  const message = `the plan in the journal cannot be executed: ${fault}`;
  throw new Stop(EXIT.invalid, message, 'create a new plan and apply it');
}

/** The journal of the last apply of what is in `folder`, or the command stops. */
export async function lastJournalOrStop(folder: string, io: Io): Promise<FoundJournal> {
  const [last] = await journalsIn(await journalsFor(folder, io));
  if (last !== undefined) return journalOrStop(relative(io.cwd, last), io);
  const hint = 'name a journal with --resume FILE';
  throw new Stop(EXIT.usage, `there is no journal of an apply beside ${quoted(folder)}`, hint);
}

/** Says so where the last apply of what is in `folder` at this address was cut off. */
export async function tellOfCutOff(folder: string, url: string, io: Io): Promise<void> {
  const [last] = await journalsIn(await journalsFor(folder, io));
  if (last === undefined) return;
  const read = journalOfText(await readJournal(last), schemas());
  if (typeof read === 'string' || read.ended !== 'cut off' || read.plan.server !== url) return;
  const file = relative(io.cwd, last);
  say(
    io.stderr,
    `the last apply was interrupted: continue it with \`apply --resume ${shellWord(file)}\`; this is a new plan`,
  );
}

/**
 * The newest journal of a run of this plan, else of another plan with the same digest: in `folder`, or in the file that the
 * next one is to be written to; null where there is none that can be read.
 */
export async function journalOfPlan(
  { madeAt }: Plan,
  digest: string,
  { folder, file }: { readonly folder: string; readonly file?: string | undefined },
  io: Io,
): Promise<FoundJournal | null> {
  const chosen = file === undefined ? [] : [resolve(io.cwd, file)];
  let other: FoundJournal | null = null;
  for (const path of [...chosen, ...(await journalsIn(folder))]) {
    const text = await readJournal(path).catch(() => '');
    if (!text.includes(digest)) continue;
    const read = journalOfText(text, schemas());
    if (typeof read === 'string' || read.digest !== digest) continue;
    if (read.plan.madeAt === madeAt) return { ...read, path };
    other ??= { ...read, path };
  }
  return other;
}

function schemas() {
  return {
    line: shippedSchemaCheck(shippedSchema('journal.schema.json')),
    plan: shippedSchemaCheck(shippedSchema('plan.schema.json')),
  };
}
