// Separates acknowledged drift from drift that raises the alarm. Neither changes who owns a field (docs/design.md#the-base).
import type { Acknowledgement, FieldChange, ShownChange } from '../../model/change.ts';
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import type { Shown } from '../../model/secrets/shown.ts';
import { namesOf } from '../../model/spoken.ts';
import { pathName } from '../../model/text/pathName.ts';
import { quoted } from '../../model/text/visible.ts';

/** An entry of the project file. */
export type AcknowledgedAt = Acknowledgement & { readonly at?: Span };

/** A difference, or the part of one, with the entry that silences it. */
export interface Acknowledged {
  readonly change: ShownChange;
  readonly entry: Acknowledgement;
}

export interface SortedDrift {
  /** What nobody has acknowledged. */
  readonly open: readonly ShownChange[];
  readonly acknowledged: readonly Acknowledged[];
  /** Entries that have ended, and entries that speak of nothing that differs. */
  readonly findings: readonly Diagnostic[];
}

/** Sorts drift by the entries that hold at `now`, in milliseconds. */
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

// A day ends with its last moment, wherever that is: in UTC, as the server's own times are.
const endOf = (until: string): number =>
  Date.parse(until.includes('T') ? until : `${until}T23:59:59.999Z`);

function sortFields(
  change: ShownChange,
  entries: readonly Acknowledgement[],
): { readonly open: readonly ShownChange[]; readonly acknowledged: readonly Acknowledged[] } {
  const whole = entries.find(entry => namesOf(change).includes(entry.object));
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

// What is missing or to go differs as a whole: no entry for a field speaks of it.
const hasFields = ({ type }: ShownChange): boolean => type === 'update' || type === 'replace';

// That an object stands elsewhere is no field of it. Without a base nothing tells that from a new name.
const isElsewhere = ({ since, was, fields }: ShownChange): boolean =>
  since === 'drift' || (was !== undefined && fields.every(field => field.since === undefined));

// Names may hold dots: what an entry could mean is written out, and nothing is taken apart.
function speaksOfField(
  { object }: Acknowledgement,
  change: ShownChange,
  { path }: FieldChange<Shown>,
) {
  const parts = path.map((_, last) => path.slice(0, last + 1));
  const texts = parts.flatMap(part => [part.join('.'), pathName(part)]);
  return namesOf(change).some(name => texts.some(field => object === `${name}.${field}`));
}

function speaksOf(entry: Acknowledgement, change: ShownChange): boolean {
  const ofFields = hasFields(change) ? change.fields : [];
  return (
    namesOf(change).includes(entry.object) ||
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
