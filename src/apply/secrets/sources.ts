// The sources of secrets: the environment, files beside the desired state, and encrypted files.
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
  /** The token of the account. It gives a key by which web addresses in a plan are compared. */
  readonly token?: string;
  /** Receives every secret that is read. */
  readonly onSecret?: (value: string) => void;
}

/** The sources of the secrets of the files in `folder`. */
export function secretSources(
  folder: string,
  { cwd, env, vars, token = '', onSecret }: SourceHost,
): SecretSources {
  const home = resolve(cwd, folder);
  const mark = markWith(token, env);
  return {
    env: name => env[name],
    file: fileInputs(home),
    decrypt: sopsFiles(home, { env }),
    ...(vars && { vars }),
    ...(onSecret && { onSecret }),
    ...(mark && { mark }),
  };
}
