// Finds drift: the differences in a plan that is not applied, described as changes in the account.
import { namingFields } from '../../kinds/identity/identity.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { Attributions } from '../../model/audit/attribution.ts';
import type { FieldChange, ShownChange } from '../../model/change.ts';
import { withIdLabels } from '../../model/idLabels.ts';
import { addressOf, segmentsOf } from '../../model/key.ts';
import type { Address, KindName } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';
import type { ReportedRun } from '../../model/reportedRun.ts';
import type { Shown, ShownText } from '../../model/secrets/shown.ts';
import type { Extent } from '../plan/planReport.ts';
import { planWithLabels } from '../plan/planWithLabels.ts';
import { unfinishedText } from '../run/unfinishedText.ts';
import type { Style } from '../text/style.ts';
import { type AcknowledgedAt, type SortedDrift, sortDrift } from './acknowledged.ts';
import { overdueChanges } from './overdue.ts';

/**
 * The differences that count as drift. With a base, these are the differences that the account caused; without a base, all
 * differences.
 */
const driftOf = (
  plan: Plan,
  { kinds, nameTaken }: Pick<DriftRules, 'kinds' | 'nameTaken'>,
): ShownChange[] => [
  ...withHeld(withUndeclared(changesOfAccount(plan), plan.undeclared ?? []), plan.held ?? []),
  ...(plan.missing ?? []).map(one => missingChange(one, kinds)),
  // These objects cannot be created until the objects that have their names are deleted; a finding explains this.
  ...nameTaken.map(({ kind, key, at }) =>
    missingChange({ address: addressOf(kind, key), kind, key, at }, kinds),
  ),
];

// Adds what somebody changed in the account in objects that the files no longer declare. Some of these objects are drift already,
// because they were also created or deleted in the account.
function withUndeclared(
  changes: readonly ShownChange[],
  undeclared: readonly ShownChange[],
): readonly ShownChange[] {
  const known = new Set(changes.map(({ address }) => address));
  return [...changes, ...undeclared.filter(({ address }) => !known.has(address))];
}

// Adds the differences that a plan withholds, because it reverts only a part of the changes of an object.
function withHeld(
  changes: readonly ShownChange[],
  held: readonly ShownChange[],
): readonly ShownChange[] {
  const left = new Map(held.map(one => [one.address, one]));
  const joined = changes.map(change => {
    const more = left.get(change.address);
    if (more === undefined) return change;
    left.delete(change.address);
    return { ...change, fields: [...change.fields, ...more.fields] };
  });
  return [...joined, ...left.values()];
}

/**
 * The changes of a plan that were made in the account, with only the fields that changed there.
 * Without a base, all changes count.
 */
export const changesOfAccount = ({ changes }: Pick<Plan, 'changes'>): readonly ShownChange[] =>
  changes.flatMap(change => {
    const fields = change.fields.filter(({ since }) => since !== 'pending');
    return isDrift(change, fields) ? [{ ...change, fields }] : [];
  });

// A difference for an object that is missing from the account. Only its name is shown, because the name is enough to find the
// user who deleted the object.
function missingChange(
  { address, kind, key, at, isAmbiguous }: NonNullable<Plan['missing']>[number],
  kinds: KindTable,
): ShownChange {
  const own = kinds.get(kind);
  const [field] = own ? namingFields(own) : [];
  const name = own && segmentsOf(key, own.depth)?.at(-1);
  // A name is never secret.
  const after = field !== undefined && name !== undefined ? { [field]: name as ShownText } : {};
  const shown = { address, kind, key, at, after, fields: [] };
  return isAmbiguous
    ? { ...shown, type: 'update', since: 'drift', notes: ['several live objects have this name'] }
    : { ...shown, type: 'create', notes: [] };
}

function isDrift(
  { type, since, was, fields }: ShownChange,
  drifted: readonly FieldChange<Shown>[],
): boolean {
  if (type === 'create' || type === 'delete') return since !== 'pending';
  if (drifted.length > 0 || since === 'drift') return true;
  // No field differs here, because the object was moved, has expired, or is only rewritten because of an object that it refers
  // to. Only an object that is replaced, or that had another address, counts as drift.
  return since === undefined && fields.length === 0 && (type === 'replace' || was !== undefined);
}

// A difference for an object that two folders declare. The object did not change in the account, but neither folder can be
// applied.
function twiceChange({ kind, key, at }: Desired, kinds: KindTable): ShownChange {
  return {
    ...missingChange({ address: addressOf(kind, key), kind, key, at }, kinds),
    type: 'update',
    since: 'drift',
  };
}

/** The description of a difference: the predicate of a sentence about its object. */
export function whatOf(
  { type, address }: ShownChange,
  {
    twice,
    overdue,
    taken,
    left,
    undone,
  }: Pick<DriftReport, 'twice' | 'overdue' | 'taken' | 'left' | 'undone'>,
): string {
  if (twice.has(address)) return 'is declared by two folders';
  if (undone?.has(address)) return 'was restored by an undo, but no file declares it';
  if (left?.has(address)) return LEFT[type];
  if (taken?.has(address)) return `${WHAT.create}: another object has its name`;
  if (!overdue.has(address)) return WHAT[type];
  return type === 'delete'
    ? 'has expired, but is still in the account'
    : 'has members that have expired';
}

const WHAT: Readonly<Record<ShownChange['type'], string>> = {
  create: 'is missing from the account',
  update: 'has changed in the account',
  replace: 'has changed in the account',
  delete: 'is declared for deletion, but still in the account',
};

const DECLARED_NOWHERE = 'by an apply that was not finished, and no file declares';

const LEFT: Readonly<Record<ShownChange['type'], string>> = {
  create: `was deleted ${DECLARED_NOWHERE} it`,
  update: `was changed ${DECLARED_NOWHERE} that`,
  replace: `was changed ${DECLARED_NOWHERE} that`,
  delete: `was created ${DECLARED_NOWHERE} it`,
};

/** Differences in reading order: changed objects, missing objects, objects that should be deleted. */
export function inReadingOrder(changes: readonly ShownChange[]): readonly ShownChange[] {
  return changes.toSorted((a, b) => RANK[a.type] - RANK[b.type]);
}

const RANK: Readonly<Record<ShownChange['type'], number>> = {
  update: 0,
  replace: 0,
  create: 1,
  delete: 2,
};

/** The input of a report. */
export interface DriftReport extends SortedDrift {
  readonly plan: Plan;
  readonly kinds: KindTable;
  /** The addresses of open differences that the account did not cause: another folder also declares the object. */
  readonly twice: ReadonlySet<Address>;
  /** The addresses of objects that are still in the account although they, or some of their members, have expired. */
  readonly overdue: ReadonlySet<Address>;
  /** The addresses of objects that another system should create, but whose names other objects have. */
  readonly taken?: ReadonlySet<Address>;
  /** The addresses of objects that differ only by what an unfinished apply created, changed or deleted, and the run of each. */
  readonly left?: ReadonlyMap<Address, string>;
  /** The addresses of objects that an undo brought back, and that no file declares. */
  readonly undone?: ReadonlySet<Address>;
  /** Unfinished applies, whose changes may be a part of the drift. Their changes that the files also contain are not reported. */
  readonly unfinished?: readonly ReportedRun[];
  /** Who caused each difference; absent if attribution was not requested. */
  readonly attributions?: Attributions;
}

/** A report that every format of drift renders. */
export interface DriftRequest extends Extent {
  readonly report: DriftReport;
  /** The declared objects that the report is about. */
  readonly declared: readonly Desired[];
  readonly style: Style;
}

/** How the differences of a plan are judged. */
export interface DriftRules {
  readonly kinds: KindTable;
  readonly entries: readonly AcknowledgedAt[];
  /** The time in milliseconds since 1970, which decides which acknowledgements are valid. */
  readonly now: number;
  /** Objects that this run declares and that the files of another folder also declare. */
  readonly declaredTwice: readonly Desired[];
  /** Declared objects that another system should create, but whose name another object has. */
  readonly nameTaken: readonly Desired[];
}

/** The report of the drift in a plan that nobody applies. */
export function driftReport(plan: Plan, rules: DriftRules): DriftReport {
  const { kinds, entries, now, declaredTwice } = rules;
  const ended = overdueChanges(plan);
  const overdue = new Set(ended.map(({ address }) => address));
  const isOverdue = ({ address }: ShownChange) => overdue.has(address);
  const found = driftOf(plan, rules).filter(one => !isOverdue(one));
  const leftByRuns = (plan.leftByRuns ?? []).filter(one => !isOverdue(one));
  const others = new Set(found.map(({ address }) => address));
  const left = new Map(
    leftByRuns.flatMap(({ address, run }) =>
      others.has(address) ? [] : [[address, run] as const],
    ),
  );
  const restored = leftByRuns.map(({ run, ...change }) => change);
  const drift = withHeld(found, restored);
  const known = new Set(drift.map(({ address }) => address));
  const more = declaredTwice
    .map(object => twiceChange(object, kinds))
    .filter(({ address }) => !known.has(address));
  const twice = new Set(more.map(({ address }) => address));
  const sorted = sortDrift([...drift, ...more], entries, now);
  const taken = new Set(rules.nameTaken.map(({ kind, key }) => addressOf(kind, key)));
  const open = [...sorted.open, ...ended];
  return { ...sorted, open, plan, kinds, twice, overdue, taken, left, undone: broughtBackIn(plan) };
}

const broughtBackIn = ({ undeclared = [] }: Plan): ReadonlySet<Address> =>
  new Set(undeclared.flatMap(({ type, address }) => (type === 'delete' ? [address] : [])));

/** The report with names after the ids of objects that are identified by id. */
export function driftWithLabels(report: DriftReport): DriftReport {
  const { plan, attributions, open, acknowledged, findings, twice, overdue } = report;
  const { taken = new Set(), left = new Map(), undone = new Set() } = report;
  if (plan.called === undefined) return report;
  const labelled = withIdLabels(plan.called);
  return {
    ...report,
    plan: planWithLabels(plan),
    ...labelled({ open, acknowledged, findings, twice, overdue, taken, left, undone }),
    ...(attributions && { attributions: labelled(attributions) }),
  };
}

/** The kinds whose objects grant access. Their undeclared objects are reported even if no file declares the kind. */
export const accessKinds = (kinds: KindTable): ReadonlySet<KindName> =>
  new Set([...kinds.values()].filter(kind => kind.grantsAccess).map(({ name }) => name));

/**
 * Sorts kinds so that those which grant access come first, because an undeclared object of such a kind may be a security hole.
 */
export function accessFirst(kinds: KindTable): KindTable {
  const entries = [...kinds];
  const isFirst = ([, kind]: (typeof entries)[number]) => kind.grantsAccess;
  return new Map([...entries.filter(isFirst), ...entries.filter(entry => !isFirst(entry))]);
}

/** The summary line of a drift report. */
export function driftLine({
  open,
  acknowledged,
  twice,
  overdue,
  left = new Map(),
}: Pick<DriftReport, 'open' | 'acknowledged' | 'twice' | 'overdue' | 'left'>): string {
  const differing = open.filter(({ address }) => !twice.has(address));
  const count = (...types: ShownChange['type'][]) =>
    differing.filter(({ type }) => types.includes(type)).length;
  const more = open.length - differing.length;
  const ofRuns = open.filter(({ address }) => left.has(address)).length;
  const counts = [
    `${count('update', 'replace')} changed`,
    `${count('create')} missing`,
    `${count('delete')} not removed`,
    ...(more > 0 ? [`${more} declared twice`] : []),
    ...(overdue.size > 0 ? [`${overdue.size} of these overdue`] : []),
    ...(ofRuns > 0 ? [`${ofRuns} of these left by unfinished applies`] : []),
  ].join(', ');
  const line = open.length === 0 ? 'No drift' : `Drift: ${counts}`;
  return acknowledged.length === 0 ? `${line}.` : `${line}; ${acknowledged.length} acknowledged.`;
}

/** A note about each unfinished apply. */
export const unfinishedNotes = ({
  unfinished = [],
}: Pick<DriftReport, 'unfinished'>): readonly string[] =>
  unfinished.map(run =>
    unfinishedText(run, { isCounted: false, isOnlyPlanned: true, isDrift: true }),
  );
