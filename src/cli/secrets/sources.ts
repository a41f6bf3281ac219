// What secrets are filled from, for a command: the environment and the flags.
import type { SecretSources } from '../../apply/secrets/opener.ts';
import { secretSources as sourcesOf } from '../../apply/secrets/sources.ts';
import { variablesFrom } from '../../source/values/variables.ts';
import type { SourceFlags } from '../flags/flags.ts';
import type { Io } from '../io.ts';

/** What the secrets of the files in `folder` are filled from. `token` is the one that the account is reached with. */
export function secretSources(
  folder: string,
  { vars = [], token = '' }: { readonly vars?: SourceFlags['var']; readonly token?: string },
  { cwd, env, secrets }: Io,
): SecretSources {
  const onSecret = (value: string) => secrets.add(value);
  return sourcesOf(folder, { cwd, env, token, onSecret, vars: variablesFrom(env, vars) });
}
