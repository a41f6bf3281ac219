// Finds the rules that have no effect of their own, with the lints of `validate`. For the page that
// shows who reaches what.
import { lintFiles } from '../../access/lint/lintFiles.ts';
import type { DialectChoice } from '../../kinds/traits.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Desired } from '../../model/object.ts';
import { loadSchemas } from '../../pipeline/schemas.ts';
import { serverForm } from '../files/serverForm.ts';

const CODES: ReadonlySet<string> = new Set([
  'RULE_SHADOWED',
  'RULE_DUPLICATE',
  'RULE_MATCHES_NOBODY',
]);

/** The findings about rules that have no effect of their own. */
export function idleRules(
  desired: readonly Desired[],
  dialect: DialectChoice | undefined,
): readonly Diagnostic[] {
  const { kinds } = loadSchemas();
  const { findings } = lintFiles({ desired, accessTests: [], kinds, asKept: serverForm(dialect) });
  return findings.filter(({ code }) => CODES.has(code));
}
