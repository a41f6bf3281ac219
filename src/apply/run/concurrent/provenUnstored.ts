// If a later read does not show a value, either the server never stores the value, or somebody
// changed it. The value counts as never stored only if the audit log shows no change in the
// meantime. Otherwise, the next apply sends it again.
import type { KindTable } from '../../../kinds/kind.ts';
import type { AuditEntry } from '../../../model/audit/entry.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { UnstoredValue } from '../../../model/recordedBase.ts';
import { quoted } from '../../../model/text/visible.ts';

/** What the audit log shows since the start of the run. */
interface Shown {
  readonly kinds: KindTable;
  readonly events: readonly AuditEntry[];
  /** Whether `events` has everything since the start of the run. */
  readonly isWhole: boolean;
  /** The user of the run; null if unknown. */
  readonly self: string | null;
}

/** The outcomes; `shown` is undefined if the log cannot be read. */
export const withProvenUnstored = (
  outcomes: readonly Outcome[],
  shown: Shown | undefined,
): readonly Outcome[] =>
  outcomes.map(outcome => {
    if (outcome.status !== 'failed' || outcome.unstored === undefined) return outcome;
    const unproven = outcome.unstored.filter(value => !isProven(value, shown));
    const [first] = unproven;
    if (first === undefined) return outcome;
    const { unstored: _, ...rest } = outcome;
    const hint =
      shown === undefined
        ? 'the audit log cannot be read, so somebody else may have changed it meanwhile: the next apply sends it again'
        : `according to the audit log, somebody changed ${quoted(first.field)} after it was stored: agree on a value; the next apply sends it again`;
    return { ...rest, fault: { ...outcome.fault, hint } };
  });

// Whether the log proves that the server did not store a value. If the server had stored it, the
// log would contain the write and also the later change. If events do not name the changed field,
// only changes of others count.
function isProven({ kind, id, field }: UnstoredValue, shown: Shown | undefined): boolean {
  if (shown === undefined || !shown.isWhole) return false;
  const { kinds, events, self } = shown;
  const codes = new Set(
    (kinds.get(kind)?.auditEvents ?? []).flatMap(form =>
      form.type === 'update' && form.fields?.includes(field) ? form.codes : [],
    ),
  );
  const about = events.filter(({ target }) => target === id);
  return !about.some(({ code, by }) => (codes.size > 0 ? codes.has(code) : by.id !== self));
}
