// Separates acknowledged drift from drift that fails the run. An acknowledgement does not change who owns a field
// (docs/design.md#the-base).
import type { Acknowledgement, FieldChange, ShownChange } from '../../model/change.ts';
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import { flagNamesOf } from '../../model/flagNames.ts';
import type { Shown } from '../../model/secrets/shown.ts';
import { pathName } from '../../model/text/pathName.ts';
import { quoted } from '../../model/text/visible.ts';

/** An entry of the project file. */
export type AcknowledgedAt = Acknowledgement & { readonly at?: Span };

/** A difference, or a part of one, with the entry that acknowledges it. */
export interface Acknowledged {
  readonly change: ShownChange;
  readonly entry: Acknowledgement;
}

export interface SortedDrift {
  /** Drift that is not acknowledged. */
  readonly open: readonly ShownChange[];
  readonly acknowledged: readonly Acknowledged[];
  /** Entries that have expired, and entries that match no difference. */
  readonly findings: readonly Diagnostic[];
}

/** Divides drift into acknowledged and open drift, by the entries that are valid at `now`, in milliseconds since 1970. */
export function sortDrift(
  drift: readonly ShownChange[],
  entries: readonly AcknowledgedAt[],
  now: number,
): SortedDrift {
  const holding = entries.filter(({ until }) => now <= endOf(until));
  const sorted = drift.map(change => sortFields(change, holding));
  const ended = entries.filter(entry => !holding.includes(entry));
  const idle = holding.filter(entry => !drift.some(change => speaksOf(entry, change)));
  return {
    open: sorted.flatMap(({ open }) => open),
    acknowledged: sorted.flatMap(({ acknowledged }) => acknowledged),
    findings: [...ended.map(endedFinding), ...idle.map(idleFinding)],
  };
}

// The moment at which a date ends, in milliseconds. A date includes its whole day in UTC, the time zone of the server.
const endOf = (until: string): number =>
  Date.parse(until.includes('T') ? until : `${until}T23:59:59.999Z`);

function sortFields(
  change: ShownChange,
  entries: readonly Acknowledgement[],
): { readonly open: readonly ShownChange[]; readonly acknowledged: readonly Acknowledged[] } {
  const whole = entries.find(entry => flagNamesOf(change).includes(entry.object));
  if (whole) return { open: [], acknowledged: [{ change, entry: whole }] };
  if (!hasFields(change)) return { open: [change], acknowledged: [] };
  const byEntry = Map.groupBy(change.fields, field =>
    entries.find(entry => speaksOfField(entry, change, field)),
  );
  const rest = byEntry.get(undefined) ?? [];
  return {
    open: rest.length > 0 || isElsewhere(change) ? [{ ...change, fields: rest }] : [],
    acknowledged: [...byEntry].flatMap(([entry, fields]) =>
      entry ? [{ change: { ...change, fields }, entry }] : [],
    ),
  };
}

// Whether a difference consists of fields. A missing or deleted object differs as a whole, so an acknowledgement of a field does
// not match it.
const hasFields = ({ type }: ShownChange): boolean => type === 'update' || type === 'replace';

// Whether an object was moved or renamed. Its position is not a field, and without a base a move cannot be distinguished from a
// rename.
const isElsewhere = ({ since, was, fields }: ShownChange): boolean =>
  since === 'drift' || (was !== undefined && fields.every(field => field.since === undefined));

// Whether an acknowledgement is about a field. Names may contain dots, so the text is compared with every possible spelling of
// the field instead of being parsed.
function speaksOfField(
  { object }: Acknowledgement,
  change: ShownChange,
  { path }: FieldChange<Shown>,
) {
  const parts = path.map((_, last) => path.slice(0, last + 1));
  const texts = parts.flatMap(part => [part.join('.'), pathName(part)]);
  return flagNamesOf(change).some(name => texts.some(field => object === `${name}.${field}`));
}

function speaksOf(entry: Acknowledgement, change: ShownChange): boolean {
  const ofFields = hasFields(change) ? change.fields : [];
  return (
    flagNamesOf(change).includes(entry.object) ||
    ofFields.some(field => speaksOfField(entry, change, field))
  );
}

const endedFinding = ({ object, until, reason, at }: AcknowledgedAt): Diagnostic => ({
  code: 'ACKNOWLEDGED_NO_MORE',
  severity: 'warning',
  message: `drift of ${quoted(object)} was acknowledged until ${until}: ${reason}`,
  ...(at && { at }),
  hint: 'fix the drift, or acknowledge it again with a later `until`',
});

const idleFinding = ({ object, at }: AcknowledgedAt): Diagnostic => ({
  code: 'ACKNOWLEDGED_NOTHING',
  severity: 'warning',
  message: `drift of ${quoted(object)} is acknowledged, but there is no such drift`,
  ...(at && { at }),
  hint: 'remove the entry from `acknowledge`, or correct it: kind/name, or kind/name.field',
});
