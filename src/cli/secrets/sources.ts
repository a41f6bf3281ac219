// The sources of a command's secrets: the environment and the flags.
import type { SecretSources } from '../../apply/secrets/opener.ts';
import { secretSources as sourcesOf } from '../../apply/secrets/sources.ts';
import { variablesFrom } from '../../source/values/variables.ts';
import type { SourceFlags } from '../flags/flags.ts';
import type { Io } from '../io.ts';

/** The settings for the secrets of a command. */
interface SourceSettings {
  readonly vars?: SourceFlags['var'];
  readonly token?: string;
  /** The folders of the further layers, as paths relative to the folder. */
  readonly layers?: readonly string[] | undefined;
}

/**
 * The sources of secrets for the files in `folder` and in further layers. `token`: the token of the
 * connection.
 */
export function secretSources(
  folder: string,
  { vars = [], token = '', layers = [] }: SourceSettings,
  { cwd, env, fileEnv, withheld, sopsKeys, secrets }: Io,
): SecretSources {
  const onSecret = (value: string) => secrets.add(value);
  const given = { fileEnv, withheld, sopsKeys, vars: variablesFrom(env, vars) };
  const host = { cwd, env, token, onSecret, ...given };
  return sourcesOf(folder, host, layers);
}
