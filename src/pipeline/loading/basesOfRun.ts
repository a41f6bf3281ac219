// The bases of a run, the first part of the next base, and the values that the server did not
// store.

import { recordedGuards } from '../../base/guards/recordedGuards.ts';
import type { BaseBefore } from '../../base/nextBase.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { UnstoredValue } from '../../model/recordedBase.ts';
import { type Bases, loadBases } from '../../read/git/loadBases.ts';
import { recordedUnstored } from '../../read/git/recordedUnstored.ts';
import { PROJECT_FILE } from '../../source/project/project.ts';
import type { Inputs } from '../../source/values/externalInputs.ts';
import type { Schemas } from '../schemas.ts';
import type { DesiredState } from './desiredState.ts';
import type { FilesOfRun } from './filesOfRun.ts';
import type { GuardsOfRun } from './guardsOfRun.ts';
import type { LoadRequest } from './loadRequest.ts';

/** Loads the bases with which the files of a run are compared. */
export function basesOfRun(
  { kinds, reader }: Schemas,
  { layers }: FilesOfRun,
  { inputs, ...request }: LoadRequest & { readonly inputs: Inputs },
): Promise<Bases> {
  const { project } = layers;
  const asked = {
    ...request,
    selection: { projectFile: PROJECT_FILE, exclude: project.exclude ?? [] },
    layers,
    isPruned: request.isPruned === true,
    account: project.account,
    name: project.name,
    isRecording: request.recordBase === true,
    isSaved: request.isSaved === true,
    isFirst: request.isFirst === true,
  };
  const earlier = { ...inputs, isEarlier: true, refusesWithheld: false };
  const reading = { kinds, reader, inputs: earlier };
  return loadBases(request.base, asked, reading);
}

/**
 * The first part of the next base, with the variables that the files used; undefined if nothing can
 * be recorded.
 */
export function startOfNextBase(
  { before }: Pick<Bases, 'before'>,
  { declared, strictest }: Pick<GuardsOfRun, 'declared' | 'strictest'>,
  { vars, used }: Pick<Inputs, 'vars'> & { readonly used: ReadonlySet<string> },
): BaseBefore | undefined {
  if (!before) return undefined;
  const variables = [...used].sort().map(name => [name, vars.get(name) ?? ''] as const);
  return {
    ...before,
    variables: Object.fromEntries(variables),
    guards: recordedGuards(declared),
    ...(strictest && { strictest }),
  };
}

/** The declared values that the server did not store, according to the recorded base. */
export async function unstoredOf(
  { desired, stored }: Pick<DesiredState, 'desired' | 'stored'>,
  kinds: KindTable,
  { path, host, isOnlyCompared, project }: LoadRequest & Pick<DesiredState, 'project'>,
): Promise<readonly UnstoredValue[] | undefined> {
  if (stored) return stored.base.unstored;
  // If a run without a base is only a report, it reads the recorded base. Any other run without a
  // base does not, because what a run sends may depend only on a verified base.
  if (!isOnlyCompared || !desired.some(({ kind }) => kinds.get(kind)?.storesPartly))
    return undefined;
  const { account, name } = project;
  return recordedUnstored({ path, host, account, name });
}
