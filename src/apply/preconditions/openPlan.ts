// Checks a plan before use, because another person or program may have written it.
import { gatesFault } from '../../access/gates/guardSelectors.ts';
import { planFault } from '../../engine/plan/planFault.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { shippedSchema } from '../../kinds/registry.ts';
import { shippedSchemaCheck } from '../../kinds/shippedChecks.ts';
import type { Plan } from '../../model/plan.ts';
import { planOfText } from '../../report/plan/planFile.ts';
import type { SavedPlan } from '../../report/plan/savedPlan.ts';
import {
  type FoundJournal,
  type JournalPlace,
  journalAt,
  lastJournal,
} from '../earlierRuns/foundJournal.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import { type SigningKeys, signerOf } from '../signing/signer.ts';

/**
 * Reads the plan in a text. `digest`: the approved digest. `file`: the name of the text in
 * messages.
 */
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

/** The refusal if a plan does not have the approved digest; null if no digest is given. */
export function notApproved(
  { digest, contentDigest }: SavedPlan,
  { file, approved }: { readonly file: string; readonly approved: string | undefined },
): Refusal | null {
  if (approved === undefined || approved === digest) return null;
  const isContentDigest = approved === contentDigest;
  return { refused: 'digest', file, approved, found: digest, isContentDigest };
}

/** The place of the journals, and the keys of their run, which verify them. */
export type JournalHost = Omit<JournalPlace, 'signer'> & SigningKeys;

/**
 * Reads the journal in `file`. Returns a refusal if no run with these keys wrote the journal, or if
 * its plan cannot be carried out.
 */
export async function openJournal(
  file: string,
  kinds: KindTable,
  host: JournalHost,
): Promise<FoundJournal | Refusal> {
  const signer = signerOf(host);
  return isRefusal(signer)
    ? signer
    : withWholePlan(await journalAt(file, { ...host, signer }), kinds);
}

/** Reads the journal of the last apply of the files in `folder`, with the checks of `openJournal`. */
export async function openLastJournal(
  folder: string,
  kinds: KindTable,
  host: JournalHost,
): Promise<FoundJournal | Refusal> {
  const signer = signerOf(host);
  return isRefusal(signer)
    ? signer
    : withWholePlan(await lastJournal(folder, { skipsEmpty: true, ...host, signer }), kinds);
}

/** Returns the journal, or a refusal if its plan was edited or if another version created the plan. */
export function withWholePlan(
  journal: FoundJournal | Refusal,
  kinds: KindTable,
): FoundJournal | Refusal {
  if (isRefusal(journal)) return journal;
  const why = faultOf(journal.plan, kinds);
  return why === null ? journal : { refused: 'plan-broken', why };
}

const faultOf = (plan: Plan, kinds: KindTable): string | null =>
  planFault(plan, kinds) ?? (plan.gates ? gatesFault(plan.gates) : null);
