// Finds the reasons why an apply of a plan would refuse its base.
import type { SharedJournals } from '../../apply/journal/sharedJournals.ts';
import { olderBase } from '../../apply/recordedBase/older.ts';
import { isRefusal, type OlderBase } from '../../apply/refusal.ts';
import { SIGNING_KEY, signerOf } from '../../apply/signing/signer.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import { nameText } from '../../model/text/visible.ts';
import type { DesiredState } from '../../pipeline/loading/desiredState.ts';
import type { StoredBase } from '../../read/git/storedBases.ts';
import type { SourceFlags } from '../flags/flags.ts';
import type { Io } from '../io.ts';
import { machineOf } from '../machine.ts';
import { olderBaseHint, olderBaseText } from '../refusals/olderBase.ts';

/** A plan, the desired state from which it was computed, and whether it records a base. */
interface BaseInUse {
  readonly plan: Plan;
  readonly state: DesiredState;
  readonly flags: Pick<SourceFlags, 'recordBase'>;
  /** The journals of the applies on all machines; resolves to undefined if they do not count. */
  readonly journals?: (() => Promise<SharedJournals | undefined>) | undefined;
}

/** The findings about the base of a plan. */
interface BaseDoubts {
  readonly notes: readonly Diagnostic[];
  /** The refusal that an apply would return because there is a newer base. */
  readonly older?: OlderBase;
}

/**
 * The doubts about the base of a plan. They are only notes, because a job that only plans may lack the key, and the apply
 * verifies the base itself.
 */
export async function doubtsOfBase(
  { plan, state, flags, journals }: BaseInUse,
  token: string,
  io: Io,
): Promise<BaseDoubts> {
  const { stored } = state;
  const onSecret = (key: string) => io.secrets.add(key);
  const signer = signerOf({ signingKey: io.env[SIGNING_KEY], token, onSecret });
  const isRefused = isRefusal(signer);
  if (stored && (isRefused || !signer.isSigned('base', stored.text, stored.signature)))
    return { notes: [notVerified(stored)] };
  if (isRefused) return { notes: [] };
  const { shared } = io;
  const older = await olderBase(plan, {
    host: { ...machineOf(io), ...(shared && { shared }) },
    signer,
    isRecording: flags.recordBase === true,
    journals: await journals?.(),
  });
  return older ? { notes: [], older } : { notes: [] };
}

const notVerified = ({ ref }: StoredBase): Diagnostic => ({
  code: 'BASE_NOT_VERIFIED',
  severity: 'note',
  message: `${nameText(ref)} is not verified: no key of this run has signed it`,
  hint: `an apply needs the key that signed the base: ${SIGNING_KEY}, or the same API token`,
});

/** The note for a base that an apply would refuse. */
export const olderBaseNote = (older: OlderBase, io: Io): Diagnostic => ({
  code: 'BASE_OLDER',
  severity: 'note',
  message: olderBaseText(older, io),
  hint: `an apply refuses it: ${olderBaseHint(older)}`,
});
