// The findings of lints that the files silence. For each code, `lifecycle.lint_ignore` contains the
// reason why a lint does not apply to an object, or to some of its rules.
import type { LintCode } from '../../model/codes.ts';
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Desired } from '../../model/object.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Found } from './lint.ts';
import { positionOf } from './positions.ts';

/** An entry of `lint_ignore`. */
export interface Silence {
  readonly code: string;
  /** The rule to which the entry applies; absent if it applies to the whole object. */
  readonly rule?: string;
  readonly reason: string;
  readonly at: Span;
  /** The declared object with the entry. */
  readonly object: Desired;
}

/** The silences of all declared objects. */
export function silencesOf(desired: readonly Desired[]): readonly Silence[] {
  return desired.flatMap(object =>
    Object.entries(object.lifecycle.lint_ignore ?? {}).flatMap(([code, reasons]) => {
      const path = ['lifecycle', 'lint_ignore', code];
      if (typeof reasons === 'string')
        return { code, reason: reasons, at: positionOf({ object, path }), object };
      return Object.entries(reasons).map(([rule, reason]) => {
        const at = positionOf({ object, path: [...path, rule] });
        return { code, rule, reason, at, object };
      });
    }),
  );
}

/** Finds the entry that silences a finding: an entry for the rule takes precedence over an entry for the object. */
export function silencing(
  silences: readonly Silence[],
): (code: LintCode, found: Found) => Silence | undefined {
  const byPosition = Map.groupBy(silences, ({ code, object }) =>
    nameOf(code, object.kind, object.key),
  );
  return (code, { object, rule }) => {
    const known = byPosition.get(nameOf(code, object.kind, object.part?.whole ?? object.key)) ?? [];
    return (
      known.find(silence => silence.rule !== undefined && silence.rule === rule) ??
      known.find(silence => silence.rule === undefined)
    );
  };
}

const nameOf = (code: string, kind: string, key: string): string => `${code} ${kind} ${key}`;

/** The finding for an entry without effect. */
export function unusedSilence({ code, rule, at, object }: Silence): Diagnostic {
  const where = rule === undefined ? '' : `rule ${quoted(rule)} of `;
  return {
    code: 'LINT_IGNORE_UNUSED',
    severity: 'warning',
    at,
    message: `${code} has no finding in ${where}${addressOf(object.kind, object.key)}, but it is silenced there`,
    hint: 'remove the entry from `lint_ignore`',
  };
}
