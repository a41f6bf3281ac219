// The signing keys of this machine, and its folder of journals.
import type { NotingHost } from '../apply/recordedBase/gitPlace.ts';
import { isRefusal } from '../apply/refusal.ts';
import { SIGNING_KEY, signerOf } from '../apply/signing/signer.ts';
import type { Signer } from '../model/signer.ts';
import { EXIT } from './exitCodes.ts';
import type { Io } from './io.ts';
import { stopOf } from './refusals/refusals.ts';
import { Stop } from './stop.ts';

/**
 * The signer of this run; null if there is neither a key nor a token. Throws a `Stop` if the key
 * can be guessed, or if the variable for the key contains none.
 */
export function signerIn(io: Io): Signer | null {
  const signer = signerOf({
    signingKey: io.env[SIGNING_KEY],
    token: io.env.MESHFORM_TOKEN?.trim() ?? '',
    onSecret: key => io.secrets.add(key),
  });
  if (!isRefusal(signer)) return signer;
  if (signer.shortest === undefined && !signer.isBlank) return null;
  throw stopOf(signer, io);
}

/** A signer that verifies nothing. */
export const NOBODY: Signer = { sign: () => '', isSigned: () => false };

/** The signer of this run. Throws a `Stop` if there is none. */
export function signerOrStop(io: Io): Signer {
  const signer = signerIn(io);
  if (signer !== null) return signer;
  const hint = `set ${SIGNING_KEY}, or MESHFORM_TOKEN to the token that applies`;
  throw new Stop(EXIT.usage, 'there is no key to sign with', hint);
}

/** This machine, with the notes about the newest bases. */
export const machineOf = ({ cwd, env, secrets }: Io): NotingHost => ({
  cwd,
  env,
  secrets,
  journals: env.MESHFORM_JOURNALS,
});
