// The sources of secrets: the environment, files beside the desired state, and encrypted files.

import { join, resolve } from 'node:path';
import type { Withheld } from '../../model/secrets/withheld.ts';
import { variableIn } from '../../read/environment.ts';
import { fileInputs } from '../../read/files/inputs.ts';
import { realOf } from '../../read/files/projectFilesAbove.ts';
import { repositoryOf } from '../../read/git/repository.ts';
import { type SopsKeys, sopsFiles } from '../../read/sops.ts';
import { markWith } from './mark.ts';
import type { SecretSources } from './opener.ts';

/** The data from which secrets may be read. */
export interface SourceHost {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The variables that `${env:NAME}` may read; by default the whole environment. */
  readonly fileEnv?: Readonly<Record<string, string | undefined>> | undefined;
  /** Returns why these files get no value for a variable; see `SecretInputs`. */
  readonly withheld?: ((name: string) => Withheld | undefined) | undefined;
  /** The keys that open encrypted files; by default the keys of the run. */
  readonly sopsKeys?: SopsKeys | undefined;
  /** The values of `${var:NAME}`; see `variablesFrom`. */
  readonly vars?: ReadonlyMap<string, string>;
  /** The token of the account. A key for comparing web addresses in a plan is derived from it. */
  readonly token?: string;
  /** Receives every secret that is read. */
  readonly onSecret?: (value: string) => void;
}

/**
 * The sources of the secrets of the files in `folder` and in further layers. Each layer is given by
 * the path of its folder relative to `folder`.
 */
export function secretSources(
  folder: string,
  { cwd, env, fileEnv = env, withheld, sopsKeys, vars, token = '', onSecret }: SourceHost,
  layers: readonly string[] = [],
): SecretSources {
  const home = realOf(resolve(cwd, folder));
  const own = layers.filter(way => isInSameTree(home, join(home, way)));
  const mark = markWith(token, env);
  return {
    env: name => variableIn(fileEnv, name),
    ...(withheld && { withheld }),
    file: fileInputs(home, own),
    layers: own,
    decrypt: sopsFiles(home, { env, sopsKeys }, own),
    ...(vars && { vars }),
    ...(onSecret && { onSecret }),
    ...(mark && { mark }),
  };
}

// Whether a layer is still in the same tree. A link may have replaced the folder of the layer since
// the plan was made.
const isInSameTree = (home: string, layer: string): boolean =>
  repositoryOf(home)?.root === repositoryOf(layer)?.root;
