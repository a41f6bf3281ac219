// Stores fingerprints of the secrets that a run sends, so that the next plan detects changed values.
import type { Path } from '../../model/value.ts';
import { reasonOf } from '../../read/files/fileText.ts';
import type { Fingerprints } from '../../read/fingerprints.ts';
import type { OpenSecret, SentSecrets } from '../port.ts';

/** Stores fingerprints of the secrets that a run sends. */
export function sentFingerprints(fingerprints: Fingerprints, open: OpenSecret): SentSecrets {
  const done = (writing: Promise<void>) => writing.then(() => null, reasonOf);
  return {
    sent: async (address, secrets) => {
      const values: { path: Path; value: string }[] = [];
      for (const { path, secret } of secrets) {
        const value = await open(secret);
        if (typeof value !== 'string') return value.message;
        values.push({ path, value });
      }
      return done(fingerprints.sent(address, values));
    },
    forget: (address, paths) => done(fingerprints.forget(address, paths)),
  };
}
