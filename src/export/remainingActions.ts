// The remaining actions and findings of the next plan of exported files.
import type { ShownChange } from '../model/change.ts';
import { type Diagnostic, spanText } from '../model/diagnostic.ts';
import type { KindName } from '../model/names.ts';
import type { Desired } from '../model/object.ts';
import type { Plan } from '../model/plan.ts';

/** A change of an object, or a finding about a name, that the next plan would still have. */
export interface Remaining {
  readonly is: ShownChange | Diagnostic;
  /** Whether a plan of the files before the export would not have it, so that the export is the cause. */
  readonly isNew: boolean;
}

type IsConcern = (object: {
  readonly kind: KindName;
  readonly key: string;
  readonly partOf?: string;
}) => boolean;

/** The exported account, and the declarations of the files after the export. */
interface Exporting {
  readonly isConcern: IsConcern;
  readonly desired: readonly Desired[];
}

/** What remains in the plan `after` for the objects that the export concerns. */
export function remainingIn(
  after: Plan,
  before: Plan,
  { isConcern, desired }: Exporting,
): readonly Remaining[] {
  const known = new Set(before.changes.flatMap(changesIn));
  const said = new Set(before.diagnostics.map(saidBy));
  const changes = after.changes
    .filter(isConcern)
    .map(is => ({ is, isNew: changesIn(is).some(one => !known.has(one)) }));
  const isOfOther = placedElsewhere({ isConcern, desired });
  const findings = after.diagnostics
    .filter(one => one.severity === 'error' || (UNCLEAR.has(one.code) && !isOfOther(one)))
    .map(is => ({ is, isNew: !said.has(saidBy(is)) }));
  return [...changes, ...findings];
}

/** What a plan of the files would change of the objects that an export concerns, and the names in them that it would miss. */
export function differencesOf({ changes, missing = [] }: Plan, exporting: Exporting) {
  const isOfOther = placedElsewhere(exporting);
  return {
    changes: changes.filter(exporting.isConcern),
    gone: missing.filter(one => !isOfOther(one)).map(({ address }) => address),
  };
}

// Returns whether all positions of a finding are in declarations that the export does not concern.
function placedElsewhere({ isConcern, desired }: Exporting) {
  const others = placesOf(desired.filter(object => !isConcern(object)));
  const own = placesOf(desired.filter(isConcern));
  return ({ at }: Pick<Diagnostic, 'at'>): boolean =>
    at !== undefined && others.has(spanText(at)) && !own.has(spanText(at));
}

// The places in the files of objects and of everything nested in them.
const placesOf = (objects: readonly Desired[]): ReadonlySet<string> =>
  new Set(objects.flatMap(({ at, spans }) => [at, ...Object.values(spans)]).map(spanText));

/** Findings about names that do not identify exactly one object of the account. */
const UNCLEAR: ReadonlySet<string> = new Set(['OBJECT_MISSING', 'OBJECT_HELD', 'OBJECT_AMBIGUOUS']);

function changesIn({ type, kind, id, key, fields }: ShownChange): readonly string[] {
  const object = `${type} ${kind} ${id ?? key}`;
  return fields.length === 0
    ? [object]
    : fields.map(({ path }) => JSON.stringify([object, ...(type === 'update' ? path : [])]));
}

const saidBy = ({ code, message }: Diagnostic): string => `${code} ${message}`;
