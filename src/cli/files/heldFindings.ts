// Findings about files that the plan answers: whether the account has what no file declares, and which secrets its apply needs.
// They are printed once the plan is known.
import { type Diagnostic, hasErrors, spanText } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import { quoted } from '../../model/text/visible.ts';
import type { DesiredState } from '../../pipeline.ts';
import { counted } from '../../report/plan/summary.ts';

/** Whether a finding waits for the plan. */
export const isHeld = ({ code, severity }: Diagnostic): boolean =>
  severity !== 'error' && (code === 'REF_NOT_DECLARED' || code === 'SECRET_UNDEFINED');

/**
 * The findings that the plan leaves: a reference that the plan has a finding about is not reported twice, and a secret is missing
 * only for what the plan writes. With `strict` a missing secret is an error.
 */
export function findingsLeft(
  { desired, diagnostics }: Pick<DesiredState, 'desired' | 'diagnostics'>,
  plan: Pick<Plan, 'changes' | 'diagnostics'>,
  isStrict: boolean,
): readonly Diagnostic[] {
  const answered = placesOf(plan.diagnostics.map(({ at }) => at));
  const written = new Set(
    plan.changes.filter(({ type }) => type !== 'delete').map(({ kind, key }) => `${kind} ${key}`),
  );
  const concerned = desired.filter(({ kind, key }) => written.has(`${kind} ${key}`));
  const needing = placesOf(concerned.flatMap(({ at, spans }) => [at, ...Object.values(spans)]));
  const isKnown = !hasErrors(plan.diagnostics);
  return diagnostics.filter(isHeld).flatMap((finding): Diagnostic[] => {
    const place = finding.at ? spanText(finding.at) : '';
    if (finding.code === 'REF_NOT_DECLARED') return answered.has(place) ? [] : [finding];
    if (isKnown && !needing.has(place)) return [];
    return [isStrict && isKnown ? { ...finding, severity: 'error' } : finding];
  });
}

const placesOf = (spans: readonly Diagnostic['at'][]): ReadonlySet<string> =>
  new Set(spans.flatMap(at => (at ? spanText(at) : [])));

/** The last line of a plan whose apply lacks secrets; undefined if it has all of them. */
export function missingSecretsLine(findings: readonly Diagnostic[]): string | undefined {
  const missing = findings.filter(({ code }) => code === 'SECRET_UNDEFINED');
  if (missing.length === 0) return undefined;
  const places = missing.flatMap(({ at }) => (at ? quoted(spanText(at)) : [])).join(', ');
  const verb = missing.length === 1 ? 'is' : 'are';
  return `${counted(missing.length, 'secret')} that an apply of this plan needs ${verb} not set here: ${places}`;
}
