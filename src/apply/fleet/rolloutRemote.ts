// The parts of a fleet's Git remote that rollouts use: refs with signed documents, and leases.
import { gitFault } from '../../read/git/runGit.ts';
import { type MadeCommit, makeCommit } from '../../read/git/writeObjects.ts';
import { messageOf } from '../../read/remote/lockAtRemote.ts';
import {
  fetchRefs,
  type Pushed,
  pushRefs,
  type RefCommits,
  type RefMove,
  type Remote,
  textsIn,
} from '../../read/remote/remoteRefs.ts';
import { lockAtRef } from '../lock/gitLock.ts';
import type { LockRef, RemoteTrouble } from '../lock/remoteLock.ts';

/** A document with its signature. Only somebody with the key can make the signature. */
export interface SignedText {
  readonly text: string;
  readonly signature: string;
}

/** The remote that the runs of a rollout share. */
export interface RolloutRemote {
  /** The name of the remote in the settings of git. */
  readonly name: string;
  /**
   * Fetches these refs. Resolves to their commits, which the clone then contains. A star at the end
   * of a ref matches any text.
   */
  readonly read: (refs: readonly string[]) => Promise<RefCommits | RemoteTrouble>;
  /** The document in a commit of the clone; null if the commit has none. */
  readonly documentIn: (commit: string) => Promise<SignedText | null>;
  /** The message of a commit of the clone; null if it has none. */
  readonly messageIn: (commit: string) => Promise<string | null>;
  /** Makes a commit with a document, after the commit `before`. The push writes it. */
  readonly make: (document: SignedText, before: string | null) => Promise<MadeCommit>;
  /** Writes the new commits, and moves all of these refs together, or none of them. */
  readonly push: (moves: readonly RefMove[]) => Promise<Pushed>;
  readonly lease: (ref: string) => LockRef;
}

/** The files in the commit of a ledger. */
const FILES = { document: 'rollout.json', signature: 'rollout.json.hmac' } as const;

/** Rollouts in a Git remote. `now` is in milliseconds since 1970. */
export function gitRolloutRemote(remote: Remote, now: () => number): RolloutRemote {
  const { place } = remote.objects;
  return {
    name: remote.name,
    read: async refs => {
      try {
        return await fetchRefs(remote, refs);
      } catch (error) {
        return gitFault(error);
      }
    },
    documentIn: async commit => {
      const files = [FILES.document, FILES.signature].map(name => `${commit}:${name}`);
      const texts = await textsIn(remote, files);
      const text = texts[0] ?? null;
      return text === null ? null : { text, signature: texts[1]?.trim() ?? '' };
    },
    messageIn: commit => messageOf(place, commit),
    // Some remotes move refs only forward, so each commit follows the previous commit.
    make: ({ text, signature }, before) =>
      makeCommit(place, {
        files: new Map([
          [FILES.document, text],
          [FILES.signature, `${signature}\n`],
        ]),
        parents: before === null ? [] : [before],
        at: now(),
        message: 'The ledger of a rollout',
      }),
    push: moves => pushRefs(remote, moves),
    lease: ref => lockAtRef(remote, ref, now),
  };
}

/** Whether the remote has returned an error instead of an answer. */
export const isTrouble = (answer: object): answer is RemoteTrouble => 'why' in answer;
