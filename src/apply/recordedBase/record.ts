// After an apply that completed everything, records the applied state as the base of the next run: a commit at the ref of the folder,
// whose parents are the applied revision and the base before.
import isEqual from 'fast-deep-equal';
import { withCreated } from '../../base/content.ts';
import { baseText } from '../../base/document.ts';
import { baseRef } from '../../base/refName.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { present } from '../../model/errors.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Plan } from '../../model/plan.ts';
import type { BaseCommit, RecordedBase, RecordedId } from '../../model/recordedBase.ts';
import type { Signer } from '../../model/signer.ts';
import type { GitPlace } from '../../read/git/runGit.ts';
import { storeBase } from '../../read/git/storeBase.ts';
import { storedBase } from '../../read/git/storedBases.ts';
import type { ApplyHost } from '../host.ts';
import { type BaseHost, placeOf } from './place.ts';

/** The base after an apply, or why it could not be recorded. */
export interface BaseRecord {
  readonly ref: string;
  readonly revision: string;
  /** The recorded base; absent if it could not be recorded. */
  readonly recorded?: BaseCommit;
  readonly failure?: string;
}

/** A plan that was carried out, with the outcomes of its actions. */
export interface CompletedPlan {
  readonly plan: Plan;
  readonly outcomes: Iterable<Outcome>;
  readonly kinds: KindTable;
}

/** Records the base of a completed plan. */
export async function recordApplied(
  { plan, outcomes, kinds }: CompletedPlan,
  host: BaseHost & Pick<ApplyHost, 'now'>,
  signer: Signer,
): Promise<BaseRecord> {
  const { content: planned, recorded } = present(plan.base, 'the base of the plan');
  const content = withCreated(
    present(planned, 'what the plan records'),
    createdBy(plan, outcomes),
    kinds,
  );
  const account = present(plan.account, 'the account of the plan');
  const revision = present(plan.revision, 'the revision of the plan');
  const recordedAt = host.now();
  const base: RecordedBase = {
    ...content,
    account,
    revision,
    recordedAt: new Date(recordedAt).toISOString(),
  };
  const ref = baseRef(account, base);
  const place = placeOf(plan.folder, host);
  const same = await recordedBefore(place, ref, base);
  if (same) return { ref, revision, recorded: same };
  const stored = await storeBase(place, {
    ref,
    recordedAt,
    before: recorded,
    parents: [revision, ...(recorded ? [recorded] : [])],
    ...signedBase(base, signer),
  });
  if ('why' in stored) return { ref, revision, failure: stored.why };
  return { ref, revision, recorded: { ref, commit: stored.commit, recordedAt: base.recordedAt } };
}

function createdBy({ actions }: Plan, outcomes: Iterable<Outcome>): RecordedId[] {
  const byAction = new Map(actions.map(action => [action.id, action]));
  return [...outcomes].flatMap((outcome): RecordedId[] => {
    const action = byAction.get(outcome.action);
    if (outcome.status !== 'done' || action?.verb !== 'create') return [];
    const { kind, key } = action;
    return [{ kind, key, id: outcome.remoteId }];
  });
}

// A plan that is applied for the second time finds its own base.
async function recordedBefore(
  place: GitPlace,
  ref: string,
  base: RecordedBase,
): Promise<BaseCommit | null> {
  const stored = await storedBase(place, ref).catch(() => null);
  if (stored === null || 'why' in stored) return null;
  const { commit } = stored;
  const { recordedAt } = stored.base;
  return isEqual({ ...stored.base, recordedAt: base.recordedAt }, base)
    ? { ref, commit, recordedAt }
    : null;
}

/** The document of a base, and its signature. */
export function signedBase(
  base: RecordedBase,
  { sign }: Signer,
): { readonly text: string; readonly signature: string } {
  const text = baseText(base);
  return { text, signature: sign('base', text) };
}
