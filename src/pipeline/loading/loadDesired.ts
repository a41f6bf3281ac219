// Turns files into desired state: reads and checks the files, their bases, and the other folders of
// the account.

import { hostPartsOf } from '../../kinds/values/hidden.ts';
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import type { FileRevision } from '../../model/fileRevision.ts';
import type { Desired } from '../../model/object.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import { secretHostsOf } from '../../model/secrets/secretHost.ts';
import { folderOf } from '../../read/files/projectFilesAbove.ts';
import type { Bases } from '../../read/git/loadBases.ts';
import { rememberingAnswers } from '../../read/git/rememberedAnswers.ts';
import { endedAt } from '../../source/endings/endedAt.ts';
import { folderAt } from '../../source/endings/folderAt.ts';
import type { Loaded } from '../../source/load.ts';
import type { Inputs } from '../../source/values/externalInputs.ts';
import { readAllHiddenSecrets } from '../../source/values/readAllHidden.ts';
import type { ReadText } from '../../source/values/readHidden.ts';
import { unusedVariables } from '../../source/values/variables.ts';
import type { Schemas } from '../schemas.ts';
import { basesOfRun, startOfNextBase, unstoredOf } from './basesOfRun.ts';
import type { DesiredState } from './desiredState.ts';
import { countingVariables, inputsFor } from './externalInputs.ts';
import {
  declarationsInFiles,
  type FilesOfRun,
  readFilesOfRun,
  revisionOfRun,
} from './filesOfRun.ts';
import { asGrants, refusedGrants } from './grants.ts';
import { guardsOfOthers, guardsOfRun, unreadableSelectors } from './guardsOfRun.ts';
import { faultsOfFiles, findingsAboutOthers } from './loadFindings.ts';
import type { LoadRequest } from './loadRequest.ts';
import { othersOfRun } from './otherFoldersOfRun.ts';

/** Loads and validates everything, without requests. The result contains every fault of every file. */
export async function loadDesired(schemas: Schemas, request: LoadRequest): Promise<DesiredState> {
  const { kinds } = schemas;
  const { now = Number.NEGATIVE_INFINITY, allow = [] } = request;
  const { files, loaded, bases, others, variables, committed } = await readRun(schemas, request);
  const { layerPaths, isGrantFile } = files;
  const { project } = files.layers;
  const { stored } = bases;
  const opened = await readAllHiddenSecrets(loaded, bases, kinds, readerFor(request, layerPaths));
  const { objects } = opened;
  const { desired, endings } = endedAt(asGrants(objects.desired, isGrantFile), kinds, now);
  tellHosts([...objects.desired, ...objects.base, ...(objects.recorded?.objects ?? [])], request);
  const guards = guardsOfRun(files.layers, loaded.accessTests, bases);
  const { declared, applied } = guards;
  const grants = { desired: objects.desired, isGrantFile, declared, applied, allow, now };
  const { elsewhere, isReadable } = await guardsOfOthers(others);
  const findings = [
    ...faultsOfFiles(files, opened, request),
    ...bases.diagnostics,
    ...(await unreadableSelectors(guards)),
    ...(await refusedGrants(grants, others, { kinds, request })),
    ...findingsAboutOthers({ desired: loaded.desired, others, isReadable }, kinds, request),
  ];
  const before = startOfNextBase(bases, guards, variables);
  const kept = { desired: objects.desired, ...(stored && { stored }) };
  return {
    project,
    folder: request.shownAs(folderOf(request.path)),
    ...(layerPaths.length > 0 && { layers: layerPaths }),
    ...(files.layers.areListed && { areLayersListed: true }),
    ...objects,
    desired,
    ...(endings.length > 0 && { endings }),
    ...(committed && { committed }),
    accessTests: declared.accessTests,
    guards: declared,
    ...(applied && { applied }),
    ...(elsewhere && { elsewhere }),
    emptyLists: loaded.emptyLists,
    ...(loaded.rendered && { rendered: loaded.rendered }),
    ...(before && { before }),
    isBaseApplied: bases.isApplied,
    ...(stored && { stored }),
    unstored: await unstoredOf(kept, kinds, { ...request, project }),
    ...(others.length > 0 && { others: others.map(other => folderAt(other, kinds, now)) }),
    diagnostics: [...findings, ...unusedIn(findings, variables, request)],
  };
}

/** Everything that a run reads before the checks. */
interface ReadRun {
  readonly files: FilesOfRun;
  /** The declarations in the files. */
  readonly loaded: Loaded;
  readonly bases: Bases;
  readonly others: readonly OtherFolder[];
  readonly variables: VariablesOfRun;
  readonly committed?: FileRevision;
}

/** The values of variables, and the names of the variables that are used. */
interface VariablesOfRun extends Pick<Inputs, 'vars'> {
  /** The names of variables used in the files of the run and in its bases. */
  readonly used: ReadonlySet<string>;
  /** The names of variables used in other folders of the account. */
  readonly usedElsewhere: ReadonlySet<string>;
}

async function readRun(schemas: Schemas, request: LoadRequest): Promise<ReadRun> {
  const remembering = rememberingAnswers();
  const files = await readFilesOfRun(schemas.kinds, request, remembering);
  const used = countingVariables();
  const usedElsewhere = countingVariables();
  // A comparison writes nothing, so it needs no secret.
  const refusesWithheld = request.isOnlyCompared !== true;
  const inputs = { ...inputsFor(request), onVariable: used.onVariable, refusesWithheld };
  const loaded = declarationsInFiles(files, schemas, { ...request, inputs });
  await request.beforeBases?.();
  const bases = await remembering(() => basesOfRun(schemas, files, { ...request, inputs }));
  const { onVariable } = usedElsewhere;
  const others = await remembering(() => othersOfRun(schemas, files, { ...request, onVariable }));
  const committed = await remembering(() => revisionOfRun(files, request));
  const variables = { vars: inputs.vars, used: used.names, usedElsewhere: usedElsewhere.names };
  return { files, loaded, bases, others, variables, ...(committed && { committed }) };
}

const readerFor = ({ readSecret }: LoadRequest, ways: readonly string[]): ReadText | undefined =>
  readSecret && (text => readSecret(text, ways));

// Reports the hosts of addresses that are secret as a whole, so that they are removed from messages
// of a server.
function tellHosts(objects: readonly Desired[], { onSecret }: LoadRequest): void {
  for (const address of secretHostsOf(objects))
    for (const part of hostPartsOf(address)) onSecret?.(part);
}

// Warnings about variables that were set for this run and that no file uses. If a file is faulty,
// its variables are unknown, so there are no warnings.
function unusedIn(
  findings: readonly Diagnostic[],
  { used, usedElsewhere }: VariablesOfRun,
  { given = [], strict }: LoadRequest,
): readonly Diagnostic[] {
  return hasErrors(findings) ? [] : unusedVariables(given, used.union(usedElsewhere), strict);
}
