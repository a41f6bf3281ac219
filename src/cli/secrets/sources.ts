// What secrets are filled from: the environment, files beside the desired state, and the desired state itself.
import { resolve } from 'node:path';
import type { SecretSources } from '../../carryOut.ts';
import { fileInputs } from '../../read/files/inputs.ts';
import { sopsFiles } from '../../read/sops.ts';
import { variablesFrom } from '../../source/values/variables.ts';
import type { SourceFlags } from '../flags/flags.ts';
import type { Io } from '../io.ts';
import { markWith } from './mark.ts';

/** What the secrets of the files in `folder` are filled from. `token` is the one that the account is reached with. */
export function secretSources(
  folder: string,
  { vars = [], token = '' }: { readonly vars?: SourceFlags['var']; readonly token?: string },
  io: Io,
): SecretSources {
  const home = resolve(io.cwd, folder);
  const mark = markWith(token, io);
  return {
    env: name => io.env[name],
    file: fileInputs(home),
    decrypt: sopsFiles(home, io.env),
    vars: variablesFrom(io.env, vars),
    onSecret: value => io.secrets.add(value),
    ...(mark && { mark }),
  };
}
