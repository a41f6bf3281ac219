// The findings of files as the JSON document that `validate` prints, and every other command whose input is invalid.
import { type Diagnostic, hasErrors } from '../model/diagnostic.ts';
import type { JsonObject } from '../model/value.ts';

const FORMAT_VERSION = '1.0';

/** The document for what files declare and what is wrong with them. */
export function findingsDocument(declared: number, diagnostics: readonly Diagnostic[]): JsonObject {
  const all = diagnostics.map(({ at, hint, ...found }) => ({
    ...found,
    ...(at && { at: { ...at } }),
    ...(hint !== undefined && { hint }),
  }));
  return {
    format_version: FORMAT_VERSION,
    valid: !hasErrors(diagnostics),
    declared,
    diagnostics: all,
  };
}
