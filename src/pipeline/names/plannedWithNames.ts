// Computes a plan and looks up facts that are not in the plan's input: who created objects, and
// which object a name denotes.

import type { ReadTransport } from '../../api/transport/transport.ts';
import { type Planned, planned } from '../../engine/plan/plan.ts';
import { bases, type PlanInput } from '../../engine/scope/planInput.ts';
import { selected } from '../../engine/scope/selection.ts';
import { addressOf } from '../../model/key.ts';
import type { Desired } from '../../model/object.ts';
import type { RecordedId } from '../../model/recordedBase.ts';

/**
 * Computes a plan. Names that do not denote one object are looked up in the base and the audit log.
 * Deleted and unknown objects are left out of the plan.
 */
export async function plannedWithNames(
  written: PlanInput,
  ids: readonly RecordedId[],
  transport: ReadTransport,
): Promise<Planned> {
  const first = await withMadeByPeople({ input: written, found: planned(written) }, transport);
  return withExplainedNames(first, ids, transport);
}

/** An input, and its plan. */
interface PlannedInput {
  readonly input: PlanInput;
  readonly found: Planned;
}

// An object that a machine may have created is pruned only if the audit log shows that a user
// created it.
async function withMadeByPeople(
  { input, found }: PlannedInput,
  transport: ReadTransport,
): Promise<PlannedInput> {
  const { kinds, settings } = input;
  if (settings.prune !== 'unmanaged') return { input, found };
  const { makersIn } = await import('../auditLog.ts');
  const makers = await makersIn(found.plan.leftAlone, kinds, transport);
  const people = [...makers].flatMap(([id, maker]) => (maker === 'person' ? id : []));
  if (people.length === 0) return { input, found };
  const known = { ...input, settings: { ...settings, madeByPeople: new Set(people) } };
  return { input: known, found: planned(known) };
}

// Explains names that do not denote one object, and plans again with the explanations.
async function withExplainedNames(
  { input, found }: PlannedInput,
  ids: readonly RecordedId[],
  transport: ReadTransport,
): Promise<Planned> {
  const { diagnostics, changes } = found.plan;
  const creates = changes.filter(({ type }) => type === 'create');
  const lost = creates.filter(({ since }) => since === 'drift');
  // If there is a base, created objects need no look-up, because the base contains the former state
  // of the account.
  const created = bases(input).length === 0 ? creates : [];
  const isOpen = diagnostics.some(({ code }) => NOT_ONE_OBJECT.has(code));
  const waiting = lostWaiting(found, input, ids);
  if (lost.length + created.length + waiting.length === 0 && !isOpen) return found;
  const { explainedNames } = await import('./missingNames.ts');
  const account = { objects: input.snapshot.objects, idOf: found.idOf };
  const names = { input, ids, lost, created, waiting, account };
  const { findings, deletedWaiting, ...known } = await explainedNames(names, transport);
  const explained = planned({ ...input, ...known });
  const { plan } = explained;
  const ats = new Map(waiting.map(({ kind, key, at }) => [addressOf(kind, key), at]));
  const missing = deletedWaiting.flatMap(one => {
    const address = addressOf(one.kind, one.key);
    const at = ats.get(address);
    return at === undefined ? [] : [{ ...one, address, at }];
  });
  const made = new Set([
    ...plan.changes.flatMap(({ type, at }) => (type === 'create' ? (at ?? []) : [])),
    ...missing.map(({ at }) => at),
  ]);
  const told = findings.filter(({ at }) => at !== undefined && made.has(at));
  return {
    ...explained,
    plan: {
      ...plan,
      ...(missing.length > 0 && { missing: [...(plan.missing ?? []), ...missing] }),
      diagnostics: [...plan.diagnostics, ...told],
    },
  };
}

// The waiting objects whose id is in the recorded base but not in the account. With the id, the
// audit log shows whether somebody deleted or renamed them. An object that never existed has no id.
function lostWaiting(
  { waits }: Planned,
  { kinds, desired, settings }: PlanInput,
  ids: readonly RecordedId[],
): readonly Pick<Desired, 'kind' | 'key' | 'at'>[] {
  const known = new Set(ids.map(({ kind, key }) => addressOf(kind, key)));
  const wholes = new Set(
    waits.waiting.flatMap(({ fate, declared: { kind, key, part } }) =>
      fate === 'not-created' ? [addressOf(kind, part?.whole ?? key)] : [],
    ),
  );
  const isSelected = selected(settings.select ?? {}, kinds);
  return desired.filter(one => {
    const address = addressOf(one.kind, one.key);
    return wholes.has(address) && known.has(address) && isSelected(one);
  });
}

const NOT_ONE_OBJECT: ReadonlySet<string> = new Set([
  'REF_UNKNOWN',
  'REF_AMBIGUOUS',
  'PAIR_AMBIGUOUS',
  'PAIR_NOT_CREATABLE',
]);
