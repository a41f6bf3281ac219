// Runs `validate`: loads files, runs the requested lints, and prints the findings.
import { dialectFindings } from '../../engine/checks/dialectFindings.ts';
import type { Dialect, DialectChoice } from '../../kinds/traits.ts';
import { sortedAndDistinct } from '../../model/byPosition.ts';
import { type Diagnostic, hasErrors, spanText } from '../../model/diagnostic.ts';
import type { LintReport } from '../../model/lint.ts';
import { jsonText } from '../../model/text/jsonText.ts';
import type { DesiredState } from '../../pipeline/loading/desiredState.ts';
import { loadDesired } from '../../pipeline/loading/loadDesired.ts';
import { loadSchemas } from '../../pipeline/schemas.ts';
import { diagnosticCounts, diagnosticsText } from '../../report/findings/diagnosticText.ts';
import { findingsDocument } from '../../report/findings/findingsDocument.ts';
import { sarifDocument } from '../../report/findings/sarif.ts';
import { counted } from '../../report/text/summary.ts';
import { styleFor } from '../colour.ts';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import type { SourceFlags } from '../flags/flags.ts';
import { type Io, say } from '../io.ts';
import { loadRequest } from './desired.ts';

/** The flags of `validate`. */
export interface ValidateFlags extends SourceFlags {
  readonly format: 'text' | 'json' | 'sarif';
  readonly lint?: boolean;
  readonly dialect?: Dialect;
}

type Surroundings = Pick<CommandContext, 'io' | 'version'>;

/** Checks the files at `path`, prints the findings, and returns the exit code. */
export async function validate(
  path: string,
  flags: ValidateFlags,
  { io, version }: Surroundings,
): Promise<number> {
  const state = await loadDesired(loadSchemas(), loadRequest(path, flags, io));
  const found = withDialect(state, flags);
  const isValid = !hasErrors(found);
  const lints = flags.lint && isValid ? await lintsOf(state, flags) : undefined;
  const report: Report = {
    declared: state.desired.length,
    diagnostics: lints ? sortedAndDistinct([...found, ...lints.findings]) : found,
    isLintSkipped: flags.lint === true && !isValid,
    ...(lints && { lints }),
  };
  print(report, flags, { io, version });
  if (!isValid) return EXIT.invalid;
  return hasErrors(report.diagnostics) ? EXIT.refused : EXIT.done;
}

interface Report {
  readonly declared: number;
  readonly diagnostics: readonly Diagnostic[];
  readonly lints?: LintReport;
  /** Whether lints were requested but could not run because the files have errors. */
  readonly isLintSkipped: boolean;
}

/** The findings about files, and findings about values that servers of a dialect refuse. */
export function withDialect(
  {
    desired,
    project,
    diagnostics,
    others,
  }: Pick<DesiredState, 'desired' | 'project' | 'diagnostics' | 'others'>,
  flags: Pick<ValidateFlags, 'strict'> & { readonly dialect?: DialectChoice | undefined },
): readonly Diagnostic[] {
  const { strict = false } = flags;
  const dialect = flags.dialect ?? project.dialect;
  // Leaves out findings at a position that already has a finding, because findings that apply to
  // every server were already reported.
  const faulty = new Set(diagnostics.map(({ at }) => at && spanText(at)));
  const refused = dialectFindings(loadSchemas().kinds, desired, { dialect, strict, others });
  return [...diagnostics, ...refused.filter(({ at }) => !faulty.has(at && spanText(at)))];
}

async function lintsOf(
  { desired, accessTests, project }: DesiredState,
  { dialect, strict }: ValidateFlags,
): Promise<LintReport> {
  const { lintFiles } = await import('../../access/lint/lintFiles.ts');
  const { serverForm } = await import('./serverForm.ts');
  const { kinds } = loadSchemas();
  const asKept = serverForm(dialect ?? project.dialect);
  const report = lintFiles({ desired, accessTests, kinds, asKept });
  if (!strict) return report;
  return {
    ...report,
    findings: report.findings.map(finding => ({ ...finding, severity: 'error' as const })),
  };
}

function print(report: Report, { format }: ValidateFlags, { io, version }: Surroundings): void {
  const { declared, diagnostics, lints } = report;
  if (format === 'json') io.stdout.write(jsonText(findingsDocument(declared, diagnostics, lints)));
  else if (format === 'sarif')
    io.stdout.write(jsonText(sarifDocument(diagnostics, lints?.silenced ?? [], version)));
  else printText(report, io);
}

function printText({ declared, diagnostics, lints, isLintSkipped }: Report, io: Io): void {
  const silenced = lints?.silenced.length ?? 0;
  const parts = [
    hasErrors(diagnostics) ? 'Not valid' : `Valid: ${counted(declared, 'object')} declared`,
    diagnosticCounts(diagnostics),
    silenced > 0 ? `${counted(silenced, 'lint finding')} silenced` : '',
    isLintSkipped ? 'not linted because of the errors' : '',
  ];
  io.stdout.write(diagnosticsText(diagnostics, styleFor(io.stdout, io)));
  say(io.stdout, `${parts.filter(part => part !== '').join('; ')}.`);
}
