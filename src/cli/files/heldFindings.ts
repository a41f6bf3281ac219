// Findings about files that a plan can resolve: whether the account has objects that no file
// declares, and which secrets the apply needs. They are printed after the plan is computed.
import type { KindTable } from '../../kinds/kind.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import { type Diagnostic, hasErrors, spanText } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import { pointer } from '../../model/text/pointer.ts';
import { quoted } from '../../model/text/visible.ts';
import type { DesiredState } from '../../pipeline/loading/desiredState.ts';
import { counted } from '../../report/text/summary.ts';

/** Whether a finding waits for the plan. */
export const isHeld = ({ code, severity }: Diagnostic): boolean =>
  severity !== 'error' && (code === 'REF_NOT_DECLARED' || code === 'SECRET_UNDEFINED');

/** The data with which findings are judged. */
interface Judging {
  readonly kinds: KindTable;
  /** Whether warnings are errors. */
  readonly isStrict: boolean;
}

/**
 * The findings that the plan does not replace. A reference is not reported twice if the plan has a
 * finding about it. A reference to an object that no file may change is accepted. A secret is
 * reported as missing only for objects that the plan writes. With `isStrict`, the remaining
 * findings are errors.
 */
export function findingsLeft(
  { desired, diagnostics }: Pick<DesiredState, 'desired' | 'diagnostics'>,
  plan: Pick<Plan, 'changes' | 'diagnostics' | 'leftAlone'>,
  { kinds, isStrict }: Judging,
): readonly Diagnostic[] {
  const reserved = placesOfReserved(desired, plan, kinds);
  const answered = placesOf(plan.diagnostics.map(({ at }) => at));
  const written = new Set(
    plan.changes.filter(({ type }) => type !== 'delete').map(({ kind, key }) => `${kind} ${key}`),
  );
  const concerned = desired.filter(({ kind, key }) => written.has(`${kind} ${key}`));
  const needing = placesOf(concerned.flatMap(({ at, spans }) => [at, ...Object.values(spans)]));
  const isKnown = !hasErrors(plan.diagnostics);
  return diagnostics.filter(isHeld).flatMap((finding): Diagnostic[] => {
    const place = finding.at ? spanText(finding.at) : '';
    const isReference = finding.code === 'REF_NOT_DECLARED';
    if (isReference && (answered.has(place) || reserved.has(place))) return [];
    if (!isReference && isKnown && !needing.has(place)) return [];
    return [isStrict && isKnown ? { ...finding, severity: 'error' } : finding];
  });
}

// The positions at which the files refer to objects that belong to the account or to another
// system, such as groups of the identity provider.
function placesOfReserved(
  desired: DesiredState['desired'],
  { leftAlone }: Pick<Plan, 'leftAlone'>,
  kinds: KindTable,
): ReadonlySet<string> {
  const reserved = new Set(
    leftAlone.flatMap(({ kind, key, reason }) => (reason === 'reserved' ? `${kind} ${key}` : [])),
  );
  if (reserved.size === 0) return reserved;
  return placesOf(
    desired.flatMap(({ kind: name, fields, at, spans }) => {
      const kind = kinds.get(name);
      const refs = kind ? refsIn(kind.shape, fields) : [];
      return refs
        .filter(ref => reserved.has(`${ref.kind} ${ref.key}`))
        .map(({ path }) => spans[pointer(path)] ?? at);
    }),
  );
}

const placesOf = (spans: readonly Diagnostic['at'][]): ReadonlySet<string> =>
  new Set(spans.flatMap(at => (at ? spanText(at) : [])));

/**
 * The last line of the output for a plan whose apply lacks secrets; undefined if no secret is
 * missing.
 */
export function missingSecretsLine(findings: readonly Diagnostic[]): string | undefined {
  const missing = findings.filter(({ code }) => code === 'SECRET_UNDEFINED');
  if (missing.length === 0) return undefined;
  const places = missing.flatMap(({ at }) => (at ? quoted(spanText(at)) : [])).join(', ');
  const verb = missing.length === 1 ? 'is' : 'are';
  return `${counted(missing.length, 'secret')} that an apply of this plan needs ${verb} not set here: ${places}`;
}
