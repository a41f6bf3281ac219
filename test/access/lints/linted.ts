// Files of a test, linted.
import { lintFiles } from '../../../src/access/lint/lintFiles.ts';
import { inParts } from '../../../src/engine/scope/parts.ts';
import type { Dialect } from '../../../src/kinds/traits.ts';
import type { Diagnostic } from '../../../src/model/diagnostic.ts';
import type { LintReport } from '../../../src/model/lint.ts';
import { KINDS, loadFiles } from '../../support/files.ts';

/** What the lints say about files by their names. Throws if the files are not valid. */
export function lintTexts(
  texts: Readonly<Record<string, string>>,
  dialect: Dialect = 'netbird',
): LintReport {
  const { desired, accessTests, diagnostics } = loadFiles(texts);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  const asKept = (objects: typeof desired) => inParts(objects, KINDS, dialect);
  return lintFiles({ desired, accessTests, kinds: KINDS, asKept });
}

/** What the lints say about one file. */
export const lint = (text: string, dialect?: Dialect): LintReport =>
  lintTexts({ 'network.yaml': text }, dialect);

/** The findings of one code. */
export const foundBy = (code: string, text: string, dialect?: Dialect): readonly Diagnostic[] =>
  lint(text, dialect).findings.filter(finding => finding.code === code);

/** A case of a lint: what it finds, and the nearest thing that it does not find. */
export interface Case {
  readonly code: string;
  readonly what: string;
  readonly fires: string;
  readonly silent: string;
  /** What the sentence must hold. */
  readonly says: readonly string[];
  /** Line and column. */
  readonly at: string;
  readonly dialect?: Dialect;
}
