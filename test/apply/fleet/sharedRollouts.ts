// A remote with rollouts, as several machines share it, in one process and with a clock of its own.
import type { RolloutRemote, SignedText } from '../../../src/apply/fleet/rolloutRemote.ts';
import { type RolloutStore, rolloutSigner } from '../../../src/apply/fleet/signedLedger.ts';
import type { LockSettings } from '../../../src/apply/lock/remoteLock.ts';
import { lockMessage, lockOfMessage } from '../../../src/apply/lockRecord.ts';
import type { MadeCommit } from '../../../src/read/git/writeObjects.ts';
import type { Pushed, RefMove } from '../../../src/read/remote/remoteRefs.ts';
import { virtualTime } from '../../support/virtualTime.ts';

export const TTL = 180;

/** A store whose documents are signed with a key. */
export function storeOf(
  remote: RolloutRemote,
  signingKey = 'a key of sixteen characters',
): RolloutStore {
  const signer = rolloutSigner({ signingKey });
  if ('refused' in signer) throw new Error(signer.refused);
  return { remote, signer };
}

export class SharedRollouts implements RolloutRemote {
  readonly name = 'origin';
  readonly refs = new Map<string, string>();
  readonly documents = new Map<string, SignedText>();
  readonly messages = new Map<string, string>();
  /** What happens to the next pushes. */
  troubles: ('lost answer' | 'lost request' | 'fine')[] = [];
  deletesNothing = false;
  pushes = 0;
  readonly time = virtualTime({ start: Date.UTC(2026, 10, 28) });
  #count = 0;

  async read(patterns: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const isAsked = (ref: string) =>
      patterns.some(one => (one.endsWith('*') ? ref.startsWith(one.slice(0, -1)) : ref === one));
    return new Map([...this.refs].filter(([ref]) => isAsked(ref)));
  }

  documentIn = async (commit: string) => this.documents.get(commit) ?? null;

  messageIn = async (commit: string) => this.messages.get(commit) ?? null;

  async make(document: SignedText): Promise<MadeCommit> {
    const commit = this.#commit();
    this.documents.set(commit, document);
    return { commit, objects: [] };
  }

  lease(ref: string) {
    return {
      ref,
      read: async () => {
        const commit = this.refs.get(ref);
        const message = commit === undefined ? undefined : this.messages.get(commit);
        if (commit === undefined) return null;
        return { commit, record: message === undefined ? null : lockOfMessage(message) };
      },
      make: async (record: Parameters<typeof lockMessage>[0]) => {
        const commit = this.#commit();
        this.messages.set(commit, lockMessage(record));
        return { commit, objects: [] };
      },
      push: (moves: readonly RefMove[]) => this.push(moves),
    };
  }

  async push(moves: readonly RefMove[]): Promise<Pushed> {
    this.pushes += 1;
    const trouble = this.troubles.shift();
    if (trouble === 'lost request') return { is: 'unknown', why: 'no route to host' };
    const now = (ref: string) => this.refs.get(ref) ?? null;
    if (moves.every(({ ref, to }) => now(ref) === to)) return { is: 'done' };
    if (moves.some(({ ref, from }) => now(ref) !== from))
      return { is: 'moved', refs: new Map(this.refs) };
    if (this.deletesNothing && moves.some(({ to }) => to === null))
      return { is: 'refused', why: 'no deletions' };
    for (const { ref, to } of moves)
      if (to === null) this.refs.delete(ref);
      else this.refs.set(ref, to);
    return trouble === 'lost answer' ? { is: 'unknown', why: 'hung up' } : { is: 'done' };
  }

  /** How the run of an id takes a lease. */
  lock(id: string): LockSettings {
    const { now, sleep } = this.time;
    const holder = { id, machine: `host of ${id}`, since: '2026-11-28T00:00:00Z' };
    return { holder, ttl: TTL, wait: 0, clocks: { monotonic: now, wall: now }, sleep };
  }

  #commit(): string {
    this.#count += 1;
    return `c${this.#count}`;
  }
}
