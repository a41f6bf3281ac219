// Where a command takes secrets from: the environment and the flags.
import type { SecretSources } from '../../apply/secrets/opener.ts';
import { secretSources as sourcesOf } from '../../apply/secrets/sources.ts';
import { variablesFrom } from '../../source/values/variables.ts';
import type { SourceFlags } from '../flags/flags.ts';
import type { Io } from '../io.ts';

/** The sources of secrets for the files in `folder`. `token` is the token of the connection. */
export function secretSources(
  folder: string,
  { vars = [], token = '' }: { readonly vars?: SourceFlags['var']; readonly token?: string },
  { cwd, env, secrets }: Io,
): SecretSources {
  const onSecret = (value: string) => secrets.add(value);
  return sourcesOf(folder, { cwd, env, token, onSecret, vars: variablesFrom(env, vars) });
}
