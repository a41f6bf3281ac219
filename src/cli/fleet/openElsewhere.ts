// Finds rollouts of a fleet that are open at another remote of the clone. The files choose the
// remote for ledgers, and a line in a file must not hide an open rollout.
import { openRolloutRef } from '../../base/refName.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { quoted } from '../../model/text/visible.ts';
import { isFault, remoteRefs } from '../../read/remote/remoteRefs.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import type { OwnRemote } from '../remoteOfClone.ts';
import { Stop } from '../stop.ts';

/**
 * The time limit of a connection, in milliseconds. If a remote does not answer, this is reported,
 * but the command continues.
 */
const PATIENCE = 10_000;

/**
 * The refusal to begin a rollout of the fleet at this path in the repository while a rollout is open at another remote; null if
 * there is none.
 */
export async function openElsewhere(
  { objects, name, others }: OwnRemote,
  path: string,
  io: Io,
): Promise<Stop | null> {
  const ref = openRolloutRef(path);
  const asked = await Promise.all(
    others.map(async other => {
      const refs = await remoteRefs({ objects, name: other, patience: PATIENCE }, [ref]);
      if (!isFault(refs)) return refs.has(ref) ? [other] : [];
      say(
        io.stderr,
        `note: the remote ${quoted(other)} does not answer, so an open rollout of the fleet there would not be seen: ${refs.why}; if nobody uses the remote any more, remove it with \`git remote remove ${shellWord(other)}\``,
      );
      return [];
    }),
  );
  const [first] = asked.flat();
  if (first === undefined) return null;
  return new Stop(
    EXIT.refused,
    `the remote ${quoted(first)} has an open rollout of the fleet, which a run with its ledger at ${quoted(name)} does not see`,
    `name ${quoted(first)} as \`lock_remote\` in meshform.yaml, and end it there with \`meshform fleet apply --continue\`; if it is a copy from another remote and its rollout has ended, remove it with \`git push ${shellWord(first)} --delete ${shellWord(ref)}\``,
  );
}
