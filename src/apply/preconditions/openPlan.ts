// Checks a plan before use, because another person or program may have written it.
import { gatesFault } from '../../access/gates/form.ts';
import { planFault } from '../../engine/plan/planFault.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { shippedSchema } from '../../kinds/registry.ts';
import { shippedSchemaCheck } from '../../kinds/schema/shippedChecks.ts';
import type { Plan } from '../../model/plan.ts';
import { planOfText } from '../../report/plan/planFile.ts';
import type { SavedPlan } from '../../report/plan/savedPlan.ts';
import type { ApplyHost } from '../host.ts';
import { type FoundJournal, journalAt, lastJournal } from '../journal/foundJournal.ts';
import { isRefusal, type Refusal } from '../refusal.ts';

/** Reads the plan in a text. `digest` is the approved digest; `file` is the name of the text in messages. */
export function openPlan(
  text: string,
  {
    file,
    digest,
    kinds,
  }: {
    readonly file: string;
    readonly digest?: string | undefined;
    readonly kinds: KindTable;
  },
): SavedPlan | Refusal {
  const isDocument = shippedSchemaCheck(shippedSchema('plan.schema.json'));
  const found = planOfText(text, file, isDocument);
  if ('diagnostic' in found) return { refused: 'plan-unreadable', file, finding: found.diagnostic };
  const why = faultOf(found.plan, kinds);
  if (why !== null) return { refused: 'plan-broken', file, why };
  return notApproved(found, { file, approved: digest }) ?? found;
}

/** The refusal if a plan does not have the approved digest; null without such a digest. */
export function notApproved(
  { digest, contentDigest }: SavedPlan,
  { file, approved }: { readonly file: string; readonly approved: string | undefined },
): Refusal | null {
  if (approved === undefined || approved === digest) return null;
  const isContentDigest = approved === contentDigest;
  return { refused: 'digest', file, approved, found: digest, isContentDigest };
}

/** Reads the journal in `file`, whose plan must be executable. */
export async function openJournal(
  file: string,
  kinds: KindTable,
  host: Pick<ApplyHost, 'cwd'>,
): Promise<FoundJournal | Refusal> {
  return withWholePlan(await journalAt(file, host), kinds);
}

/** Reads the journal of the last apply of the files in `folder`, whose plan must be executable. */
export async function openLastJournal(
  folder: string,
  kinds: KindTable,
  host: Pick<ApplyHost, 'cwd' | 'journals'>,
): Promise<FoundJournal | Refusal> {
  return withWholePlan(await lastJournal(folder, host), kinds);
}

// The same journal; a refusal if its plan was edited or if another version created it.
function withWholePlan(journal: FoundJournal | Refusal, kinds: KindTable): FoundJournal | Refusal {
  if (isRefusal(journal)) return journal;
  const why = faultOf(journal.plan, kinds);
  return why === null ? journal : { refused: 'plan-broken', why };
}

const faultOf = (plan: Plan, kinds: KindTable): string | null =>
  planFault(plan, kinds) ?? (plan.gates ? gatesFault(plan.gates) : null);
