// The external inputs of files: the environment, neighbouring files, and variables.

import { join } from 'node:path';
import { fileInputs, unusableFiles } from '../../read/files/inputs.ts';
import { folderOf, realOf } from '../../read/files/projectFilesAbove.ts';
import type { Inputs } from '../../source/values/externalInputs.ts';
import type { LoadRequest } from './loadRequest.ts';

/** The external inputs of files. */
export function inputsFor({
  path,
  env,
  withheld,
  vars,
  onSecret,
  areSecretsClosed,
}: LoadRequest): Inputs {
  const folder = folderOf(path);
  if (areSecretsClosed) return { ...NO_SECRETS, vars: vars ?? new Map() };
  return {
    env,
    ...(withheld && { withheld }),
    ...filesIn(folder),
    inLayer: way => filesIn(join(realOf(folder), way)),
    vars: vars ?? new Map(),
    ...(onSecret && { onSecret }),
  };
}

const NOTHING = { file: () => undefined, unusable: () => undefined };
const NO_SECRETS = { ...NOTHING, env: () => undefined, inLayer: () => NOTHING };

const filesIn = (folder: string) => ({
  file: fileInputs(folder),
  unusable: unusableFiles(folder),
});

/** The variables that files use, collected as files are read. */
export interface UsedVariables {
  /** The names of the variables used so far. */
  readonly names: ReadonlySet<string>;
  readonly onVariable: (name: string) => void;
}

/** Starts to collect the used variables. */
export function countingVariables(): UsedVariables {
  const names = new Set<string>();
  return { names, onVariable: name => names.add(name) };
}
