// Loads desired state for a command, or stops it with every finding printed.
import { relative, resolve } from 'node:path';
import { type Diagnostic, hasErrors } from '../model/diagnostic.ts';
import { type DesiredState, type LoadRequest, loadDesired, type Toolbox } from '../pipeline.ts';
import { diagnosticCounts, diagnosticsText } from '../report/diagnosticText.ts';
import { styleFor } from './colour.ts';
import { EXIT } from './exitCodes.ts';
import type { SourceFlags } from './flags.ts';
import type { Io } from './io.ts';
import { Stop } from './stop.ts';

/** What to load, as the flags say it. */
export function loadRequest(path: string, flags: SourceFlags, io: Io): LoadRequest {
  return {
    path: resolve(io.cwd, path),
    ...(flags.base !== undefined && { base: flags.base }),
    ...(flags.recordBase && { recordBase: true }),
    strict: flags.strict === true,
    env: name => io.env[name],
    inputs: flags.input ?? [],
    onSecret: value => io.secrets.add(value),
    cwd: io.cwd,
    shownAs: file => relative(io.cwd, file) || '.',
  };
}

/** The desired state at `path`. Findings go to stderr; an error among them stops the command. */
export async function desiredOrStop(
  tools: Toolbox,
  path: string,
  flags: SourceFlags,
  io: Io,
): Promise<DesiredState> {
  const state = await loadDesired(tools, loadRequest(path, flags, io));
  printFindings(state.diagnostics, io);
  stopOnErrors(state.diagnostics);
  return state;
}

/** Prints findings to stderr. */
export function printFindings(diagnostics: readonly Diagnostic[], io: Io): void {
  io.stderr.write(diagnosticsText(diagnostics, styleFor(io.stderr, io)));
}

const GUARDS: ReadonlySet<string> = new Set(['PROTECTED', 'ACCOUNT_DIFFERS', 'REMOVAL_NOT_PRUNED']);

/** Throws the `Stop` that errors among the findings call for: refused where a guard spoke, invalid elsewhere. */
export function stopOnErrors(diagnostics: readonly Diagnostic[]): void {
  if (!hasErrors(diagnostics)) return;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const isGuard = errors.every(({ code }) => GUARDS.has(code));
  throw new Stop(isGuard ? EXIT.refused : EXIT.invalid, `stopped by ${diagnosticCounts(errors)}`);
}
