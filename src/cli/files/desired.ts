// Loads desired state for a command, or stops the command and prints every finding.
import { relative, resolve } from 'node:path';
import type { Selection } from '../../engine/types/selection.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import { jsonText } from '../../model/text/jsonText.ts';
import type { DesiredState } from '../../pipeline/loading/desiredState.ts';
import { loadDesired } from '../../pipeline/loading/loadDesired.ts';
import type { LoadRequest } from '../../pipeline/loading/loadRequest.ts';
import type { Schemas } from '../../pipeline/schemas.ts';
import { variableIn } from '../../read/environment.ts';
import { folderOf } from '../../read/files/projectFilesAbove.ts';
import { findingsDocument } from '../../report/findings/findingsDocument.ts';
import { openSecret } from '../../source/values/openSecret.ts';
import { variablesFrom } from '../../source/values/variables.ts';
import { printFindings, stopOnErrors } from '../findings.ts';
import type { PlanFlags, SourceFlags } from '../flags/flags.ts';
import { namesGiven } from '../flags/variableFlags.ts';
import type { Io } from '../io.ts';
import { secretSources } from '../secrets/sources.ts';
import { refuseBaseOfFile } from './baseOfFile.ts';
import { type DestroyFlag, refuseDestroyOf } from './destroying.ts';
import { formerBase, type ServerOfRun } from './formerBase.ts';
import { collectEarlier } from './heap.ts';
import { isHeld } from './heldFindings.ts';
import { withoutNotesOfOthers } from './selectedNotes.ts';

/** The request to load desired state, from the flags. */
export function loadRequest(path: string, flags: SourceFlags & ServerOfRun, io: Io): LoadRequest {
  return {
    path: resolve(io.cwd, path),
    ...(flags.layers && { layers: flags.layers.map(layer => resolve(io.cwd, layer)) }),
    ...(flags.base !== undefined && { base: flags.base }),
    ...(flags.isBaseIfRecorded && { isBaseIfRecorded: true }),
    ...(flags.recordBase && { recordBase: true }),
    ...(flags.first && { isFirst: true }),
    formerBase: (ref, isFirst) => formerBase(path, { ref, isFirst, server: flags }, io),
    strict: flags.strict === true,
    env: name => variableIn(io.fileEnv ?? io.env, name),
    ...(io.withheld && { withheld: io.withheld }),
    host: io,
    ...(io.openShared && { beforeBases: io.openShared }),
    vars: variablesFrom(io.env, flags.var ?? []),
    given: namesGiven(flags),
    onSecret: value => io.secrets.add(value),
    onLength: collectEarlier,
    now: flags.at ?? io.now(),
    cwd: io.cwd,
    shownAs: file => relative(io.cwd, file) || '.',
  };
}

/**
 * The request to read files for a command that compares them with an account. It also reads the
 * secrets that identify objects.
 */
export function readingRequest(
  path: string,
  flags: SourceFlags & ServerOfRun,
  io: Io,
): LoadRequest {
  const request = loadRequest(path, flags, io);
  const folder = folderOf(request.path);
  let sources: ReturnType<typeof secretSources> | undefined;
  return {
    ...request,
    readSecret: (text, layers) => {
      sources ??= secretSources(folder, { layers }, io);
      const { decrypt, ...inputs } = sources;
      return openSecret(text, inputs, decrypt ?? (() => Promise.resolve(SEALED)));
    },
  };
}

const SEALED = { why: 'it cannot be read here', hint: 'use ${env:NAME} instead' };

/**
 * The desired state at `path`. Prints findings to stderr; an error stops the command. `isPlanned`: whether the caller computes a
 * plan, which replaces some of the findings.
 */
export async function desiredOrStop(
  tools: Schemas,
  path: string,
  flags: SourceFlags &
    ServerOfRun &
    DocumentFlags &
    Selection &
    DestroyFlag &
    Partial<Pick<PlanFlags, 'allow' | 'prune'>> &
    EndFlag &
    Pick<LoadRequest, 'isSaved' | 'isPlanned' | 'isOnlyCompared' | 'accountBehind'>,
  io: Io,
): Promise<DesiredState> {
  if (flags.recordBase) refuseBaseOfFile(path, 'record', io);
  if (flags.base === 'auto') refuseBaseOfFile(path, 'compare', io);
  const request = readingRequest(path, flags, io);
  const loaded = await loadDesired(tools, {
    ...request,
    isSaved: flags.isSaved === true,
    isPlanned: flags.isPlanned === true,
    isOnlyCompared: flags.isOnlyCompared === true,
    isOnlyEnded: flags.onlyEnds === true,
    ...(flags.allow && { allow: flags.allow }),
    isPruned: flags.onlyEnds === true || (flags.prune ?? 'none') !== 'none',
    mayBeEmpty: flags.destroy !== undefined,
    ...(flags.accountBehind && { accountBehind: flags.accountBehind }),
  });
  const { desired, diagnostics } = loaded;
  const noted = withoutNotesOfOthers(diagnostics, desired, flags, tools.kinds);
  const state = { ...loaded, diagnostics: noted };
  const isHeldBack = flags.isPlanned === true && !hasErrors(noted);
  printFindings(isHeldBack ? noted.filter(one => !isHeld(one)) : noted, io);
  printIfInvalid(state, flags, io);
  stopOnErrors(state.diagnostics);
  if (flags.destroy !== undefined) refuseDestroyOf(state);
  return state;
}

/**
 * Whether a run only removes what has expired. In such a run, expiry times that only the base
 * contains also count.
 */
interface EndFlag {
  readonly onlyEnds?: boolean;
}

/** The format of the document on stdout. */
export interface DocumentFlags {
  readonly format?: string;
}

/** Prints the findings as the JSON document if the user requested JSON and an error prevents any other output. */
export function printIfInvalid(
  { desired, diagnostics }: Pick<DesiredState, 'desired' | 'diagnostics'>,
  { format }: DocumentFlags,
  io: Io,
): void {
  if (format !== 'json' || !hasErrors(diagnostics)) return;
  io.stdout.write(jsonText(findingsDocument(desired.length, diagnostics)));
}
