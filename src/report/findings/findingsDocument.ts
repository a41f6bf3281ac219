// The findings of files as the JSON document that `validate` prints, and every other command whose input is invalid.
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import type { LintReport } from '../../model/lint.ts';
import type { JsonObject } from '../../model/value.ts';

const FORMAT_VERSION = '1.0';

/** The document for what files declare and what is wrong with them. `lints`: what the lints said, where they ran. */
export function findingsDocument(
  declared: number,
  diagnostics: readonly Diagnostic[],
  lints?: LintReport,
): JsonObject {
  return {
    format_version: FORMAT_VERSION,
    valid: !hasErrors(diagnostics),
    declared,
    diagnostics: diagnostics.map(diagnosticObject),
    ...(lints && {
      silenced: lints.silenced.map(({ finding, reason, reasonAt }) => ({
        ...{ ...diagnosticObject(finding), reason },
        reason_at: { ...reasonAt },
      })),
    }),
  };
}

function diagnosticObject({ at, hint, ...found }: Diagnostic): JsonObject {
  return { ...found, ...(at && { at: { ...at } }), ...(hint !== undefined && { hint }) };
}
