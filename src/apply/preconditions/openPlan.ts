// A plan that somebody else may have written, checked before anything is done with it.
import { gatesFault } from '../../access/gates/form.ts';
import { planFault } from '../../engine/plan/planFault.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { shippedSchema } from '../../kinds/registry.ts';
import { shippedSchemaCheck } from '../../kinds/schema/shippedChecks.ts';
import type { Plan } from '../../model/plan.ts';
import { planOfText, type ReadPlan } from '../../report/plan/planFile.ts';
import type { ApplyHost } from '../host.ts';
import { type FoundJournal, journalAt, lastJournal } from '../journal/foundJournal.ts';
import { isRefusal, type Refusal } from '../refusal.ts';

/** The plan in a text. `digest` is the one that was approved; `file` is what messages call the text. */
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
): ReadPlan | Refusal {
  const isDocument = shippedSchemaCheck(shippedSchema('plan.schema.json'));
  const found = planOfText(text, file, isDocument);
  if ('diagnostic' in found) return { refused: 'plan-unreadable', file, finding: found.diagnostic };
  const why = faultOf(found.plan, kinds);
  if (why !== null) return { refused: 'plan-broken', file, why };
  if (digest !== undefined && digest !== found.digest)
    return { refused: 'digest', file, approved: digest, found: found.digest };
  return found;
}

/** The journal in `file`, with a plan that can be carried out. */
export async function openJournal(
  file: string,
  kinds: KindTable,
  host: Pick<ApplyHost, 'cwd'>,
): Promise<FoundJournal | Refusal> {
  return withWholePlan(await journalAt(file, host), kinds);
}

/** The journal of the last apply of what is in `folder`, with a plan that can be carried out. */
export async function openLastJournal(
  folder: string,
  kinds: KindTable,
  host: Pick<ApplyHost, 'cwd' | 'journals'>,
): Promise<FoundJournal | Refusal> {
  return withWholePlan(await lastJournal(folder, host), kinds);
}

// The same journal; refused where its plan was edited, or where another version made it.
function withWholePlan(journal: FoundJournal | Refusal, kinds: KindTable): FoundJournal | Refusal {
  if (isRefusal(journal)) return journal;
  const why = faultOf(journal.plan, kinds);
  return why === null ? journal : { refused: 'plan-broken', why };
}

const faultOf = (plan: Plan, kinds: KindTable): string | null =>
  planFault(plan, kinds) ?? (plan.gates ? gatesFault(plan.gates) : null);
