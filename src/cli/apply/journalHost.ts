// The journals for a command, and the question whether to accept a journal of an older version.
import type { JournalHost } from '../../apply/preconditions/openPlan.ts';
import { SIGNING_KEY } from '../../apply/signing/signer.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Io } from '../io.ts';

/** The journals of this machine, verified with the keys of the environment or the token. */
export function journalHost(io: Io, token: string): JournalHost {
  const { cwd, env, secrets, ask } = io;
  return {
    cwd,
    env,
    journals: env.MESHFORM_JOURNALS,
    signingKey: env[SIGNING_KEY],
    token,
    onSecret: key => secrets.add(key),
    ...(ask && { acceptsUnsigned: file => isAccepted(file, ask) }),
  };
}

// --yes does not answer this question, because the question does not concern the plan.
async function isAccepted(
  file: string,
  ask: (question: string) => Promise<string>,
): Promise<boolean> {
  const about = `The journal ${quoted(file)} is from an older version of meshform and has no signature.`;
  const question = 'Did your own apply write it, and has nobody changed it?';
  const answer = await ask(`${about}\n${question} Type "yes" to use it: `);
  return answer.trim() === 'yes';
}
