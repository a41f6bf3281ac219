// Runs every lint over valid files, and removes the findings that the files silence.
import { byPosition, sortedAndDistinct } from '../../model/byPosition.ts';
import { isLintCode, LINT_CODES, type LintCode } from '../../model/codes.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LintReport, SilencedFinding } from '../../model/lint.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import type { Found } from './lint.ts';
import { type LintInput, lintContext } from './lintContext.ts';
import { LINTS } from './lints.ts';
import { positionOf } from './positions.ts';
import { type Silence, silencesOf, silencing, unusedSilence } from './silences.ts';

/** The findings of all lints in files without errors. */
export function lintFiles(input: LintInput): LintReport {
  const context = lintContext(input);
  const silences = silencesOf(input.desired);
  const silenceFor = silencing(silences);
  const used = new Set<Silence>();
  const findings: Diagnostic[] = [];
  const silenced: SilencedFinding[] = [];
  for (const code of Object.keys(LINT_CODES).filter(isLintCode))
    for (const found of LINTS[code](context)) {
      const finding = findingOf(code, found);
      const silence = silenceFor(code, found);
      if (!silence) findings.push(finding);
      else {
        used.add(silence);
        silenced.push({ finding, reason: silence.reason, reasonAt: silence.at });
      }
    }
  const unused = silences.filter(silence => !used.has(silence)).map(unusedSilence);
  return {
    findings: sortedAndDistinct([...findings, ...unused]),
    silenced: silencedInOrder(silenced),
  };
}

function findingOf(code: LintCode, found: Found): Diagnostic {
  const { message, hint } = found;
  return { code, severity: 'warning', message, at: positionOf(found), hint };
}

function silencedInOrder(silenced: readonly SilencedFinding[]): readonly SilencedFinding[] {
  const unique = new Map(silenced.map(one => [JSON.stringify(one), one]));
  return [...unique.values()].sort(
    (one, other) =>
      byPosition(one.finding.at, other.finding.at) || compareTexts(text(one), text(other)),
  );
}

const text = ({ finding: { code, message } }: SilencedFinding): string => `${code} ${message}`;
