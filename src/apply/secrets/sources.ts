// What secrets are filled from: the environment, files beside the desired state, and the desired state itself.
import { resolve } from 'node:path';
import { fileInputs } from '../../read/files/inputs.ts';
import { sopsFiles } from '../../read/sops.ts';
import { markWith } from './mark.ts';
import type { SecretSources } from './opener.ts';

/** What may be read for secrets. */
export interface SourceHost {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The values of `${var:NAME}`; see `variablesFrom`. */
  readonly vars?: ReadonlyMap<string, string>;
  /** The token that the account is reached with: web addresses in a plan are compared by a key that it gives. */
  readonly token?: string;
  /** Receives every secret that is looked up. */
  readonly onSecret?: (value: string) => void;
}

/** What the secrets of the files in `folder` are filled from. */
export function secretSources(
  folder: string,
  { cwd, env, vars, token = '', onSecret }: SourceHost,
): SecretSources {
  const home = resolve(cwd, folder);
  const mark = markWith(token, env);
  return {
    env: name => env[name],
    file: fileInputs(home),
    decrypt: sopsFiles(home, env),
    ...(vars && { vars }),
    ...(onSecret && { onSecret }),
    ...(mark && { mark }),
  };
}
