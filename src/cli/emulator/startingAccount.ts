// The initial account of an emulator. It is created from desired state as in an apply, without
// confirmation.

import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Agent } from 'undici';
import { readTransport, writeTransport } from '../../api/transport/transport.ts';
import { carryOut } from '../../apply/run/carryOut.ts';
import type { StartingAccount } from '../../emulator/index.ts';
import type { Dialect } from '../../kinds/traits.ts';
import { type Diagnostic, hasErrors, spanText } from '../../model/diagnostic.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { DesiredState } from '../../pipeline/loading/desiredState.ts';
import { loadDesired } from '../../pipeline/loading/loadDesired.ts';
import { planDesired } from '../../pipeline/planning/planDesired.ts';
import { loadSchemas, type Schemas } from '../../pipeline/schemas.ts';
import { variableIn } from '../../read/environment.ts';
import { fileInputs } from '../../read/files/inputs.ts';
import { temporaryFolder } from '../../read/files/temporaryFolder.ts';
import { EXIT } from '../exitCodes.ts';
import { readingRequest } from '../files/desired.ts';
import { printFindings } from '../findings.ts';
import type { VariableFlags } from '../flags/variableFlags.ts';
import type { Io } from '../io.ts';
import { Stop } from '../stop.ts';

const CONCURRENCY = 4;

/** The options with which desired state is read and applied. */
export interface StartingOptions {
  readonly dialect: Dialect;
  readonly variables: VariableFlags;
  readonly io: Io;
}

/** Applies the desired state at `path` to an account. Throws a `Stop` with all errors. */
export async function fillAccount(
  path: string,
  account: StartingAccount,
  { dialect, variables, io }: StartingOptions,
): Promise<void> {
  const tools = loadSchemas();
  const state = await loadDesired(tools, readingRequest(path, variables, io));
  stopOn(EXIT.invalid, state.diagnostics);
  printFindings(state.diagnostics.filter(isOfCommandLine), io);
  for (const name of machinesIn(state, tools)) account.enrol(name);
  const connection = new Agent();
  const transport = { ...io, url: account.url, token: account.token, dispatcher: connection };
  try {
    const planReadAt = io.now();
    const plan = await planDesired(tools, state, readTransport(transport), {
      dialect,
      prune: 'none',
      allow: [],
      thresholds: {},
      concurrency: CONCURRENCY,
    });
    stopOn(EXIT.invalid, plan.diagnostics);
    const { outcomes } = await carryOut(tools, plan, writeTransport(transport), {
      inputs: {
        env: name => variableIn(io.env, name),
        file: fileInputs(resolve(io.cwd, path), state.layers),
      },
      concurrency: CONCURRENCY,
      now: io.now,
      planReadAt,
    });
    stopOnFailures(outcomes);
  } finally {
    await connection.close();
  }
}

/** Applies desired state that is given as a text to an account. */
export async function fillAccountFromText(
  yaml: string,
  account: StartingAccount,
  options: StartingOptions,
): Promise<void> {
  const folder = await temporaryFolder('meshform-emulator-');
  try {
    await writeFile(join(folder, 'desired-state.yaml'), yaml);
    const io = { ...options.io, cwd: folder };
    await fillAccount('.', account, { ...options, io });
  } catch (error) {
    // The API receives desired state as a single text.
    if (error instanceof Stop) throw new Error([error.message, ...error.lines].join('\n'));
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const VALIDATE =
  'check the files with `meshform validate`, and check that --edition and --dialect support them';

// `validate` reports warnings about the files.
const isOfCommandLine = ({ code }: Diagnostic): boolean => code === 'INPUT_UNUSED';

/** The declared machines. They cannot be created through the API, because machines appear only when they enrol. */
function machinesIn({ desired }: DesiredState, { kinds }: Schemas): readonly string[] {
  return desired.flatMap(({ kind, key }) =>
    kinds.get(kind)?.verbs.has('create') ? [] : [String(key)],
  );
}

function stopOn(code: number, diagnostics: readonly Diagnostic[]): void {
  if (!hasErrors(diagnostics)) return;
  const lines = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ at, message }) => `  ${at === undefined ? '' : `${spanText(at)} `}${message}`);
  throw new Stop(code, 'the account cannot start with this desired state:', VALIDATE, lines);
}

function stopOnFailures(outcomes: readonly Outcome[]): void {
  const lines = outcomes.flatMap(outcome =>
    outcome.status === 'failed' || outcome.status === 'unknown'
      ? [`  ${outcome.fault.message}`]
      : [],
  );
  if (lines.length > 0)
    throw new Stop(
      EXIT.incomplete,
      'the account does not match the desired state:',
      VALIDATE,
      lines,
    );
}
