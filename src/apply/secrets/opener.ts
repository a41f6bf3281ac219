// Secrets by where they come from: opened each at the moment it is asked for.
import { isHosted } from '../../model/secrets/hostedSecret.ts';
import { type HostedInputs, openHosted } from '../../source/values/openHosted.ts';
import { type Decrypt, openSecret } from '../../source/values/openSecret.ts';
import type { OpenSecret } from '../run/port.ts';

/** What secrets are filled from. */
export type SecretSources = HostedInputs & {
  /** Opens encrypted files; none can be opened without it. */
  readonly decrypt?: Decrypt;
};

/** Opens secrets, each at the moment it is asked for. */
export function secretOpener({ decrypt = sealed, ...inputs }: SecretSources): OpenSecret {
  return secret =>
    isHosted(secret)
      ? openHosted(secret, inputs, decrypt)
      : openSecret(secret.$secret, inputs, decrypt);
}

const sealed: Decrypt = () =>
  Promise.resolve({ why: 'it cannot be read here', hint: 'use ${env:NAME} instead' });
