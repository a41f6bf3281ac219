// Opens secrets from their sources, each secret only when it is needed.
import { isHosted } from '../../model/secrets/hostedSecret.ts';
import { type HostedInputs, openHosted } from '../../source/values/openHosted.ts';
import { type Decrypt, openSecret } from '../../source/values/openSecret.ts';
import type { OpenSecret } from '../port.ts';

/** The sources of secrets. */
export type SecretSources = HostedInputs & {
  /** Opens encrypted files. If absent, encrypted files cannot be opened. */
  readonly decrypt?: Decrypt;
};

/** Returns the function that opens a secret when it is needed. */
export function secretOpener({ decrypt = sealed, ...inputs }: SecretSources): OpenSecret {
  return secret =>
    isHosted(secret)
      ? openHosted(secret, inputs, decrypt)
      : openSecret(secret.$secret, inputs, decrypt);
}

const sealed: Decrypt = () =>
  Promise.resolve({ why: 'it cannot be read here', hint: 'use ${env:NAME} instead' });
