// The findings about files as a JSON document, printed by `validate` and by every other command with invalid input.
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import type { LintReport } from '../../model/lint.ts';
import type { JsonObject } from '../../model/value.ts';

const FORMAT_VERSION = '1.0';

/** The document for declared objects and the findings about them. `lints` are the findings of lints, if they ran. */
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
        ...diagnosticObject(finding),
        reason,
        reason_at: { ...reasonAt },
      })),
    }),
  };
}

function diagnosticObject({ at, hint, except: _, named: __, ...found }: Diagnostic): JsonObject {
  return { ...found, ...(at && { at: { ...at } }), ...(hint !== undefined && { hint }) };
}
