// The remote of a clone that stores the locks, journals and bases of accounts.
import { stateFolder } from '../apply/journal/stateFolder.ts';
import { quoted } from '../model/text/visible.ts';
import { fullDiskIn } from '../read/git/fullDisk.ts';
import { RemoteAddress } from '../read/git/remoteAddress.ts';
import { remotesOf } from '../read/git/remotes.ts';
import { type GitPlace, gitFault } from '../read/git/runGit.ts';
import { type SeparateObjects, separateObjects } from '../read/remote/objectFolder.ts';
import type { Asking, Remote } from '../read/remote/remoteRefs.ts';
import { EXIT } from './exitCodes.ts';
import { type Io, say } from './io.ts';
import { Stop } from './stop.ts';

/** The time limit of a connection to the remote, in milliseconds. */
const PATIENCE = 30_000;

/** The remote of a clone that has the locks and bases of an account. */
export interface OwnRemote extends Remote {
  /** The other remotes of the clone. */
  readonly others: readonly string[];
  /** Whether the files choose the remote. */
  readonly isChosen: boolean;
}

/**
 * Calls `use` with a function that opens the remote once: the chosen remote, `origin`, or the first remote. The function returns
 * null if the clone has no remote, and throws a `Stop` for an unknown remote.
 */
export async function withRemote<T>(
  place: GitPlace,
  chosen: string | undefined,
  io: Io,
  use: (open: () => Promise<OwnRemote | null>) => Promise<T>,
): Promise<T> {
  let opening: Promise<OwnRemote | null> | undefined;
  try {
    return await use(() => {
      opening ??= remoteAt(place, chosen, io);
      return opening;
    });
  } finally {
    const remote = await opening?.catch(() => null);
    await remote?.objects.close();
  }
}

async function remoteAt(
  place: GitPlace,
  chosen: string | undefined,
  io: Io,
): Promise<OwnRemote | null> {
  const { names, place: listed } = await remotesOf(place);
  const name = chosen ?? names[0];
  if (name === undefined) return null;
  if (!names.includes(name)) throw notARemote(name, names);
  const kept = { state: stateFolder(io.env), now: io.now() };
  const objects = await separateObjects(listed, kept).catch((error: unknown): SeparateObjects => {
    if (fullDiskIn(error) !== null) throw error;
    const { why, hint } = gitFault(error);
    throw new Stop(EXIT.invalid, `git cannot be used here: ${why}`, hint ?? 'clone it again');
  });
  const others = names.filter(one => one !== name);
  const own = { objects, name, patience: PATIENCE, others, isChosen: chosen !== undefined };
  return { ...own, isPushed: true, ...limitsOf(name, io), ...io.joint };
}

/** How long to wait for a remote before a message says so, in milliseconds. */
const SAID_AFTER = 5000;

// The limits of a connection: the signal that ends it, and the messages about a remote that answers
// slowly.
function limitsOf(name: string, io: Io): Pick<Remote, 'left' | 'stop' | 'onAsking'> {
  const { interrupts } = io;
  // Several pushes with the same time limit report it only once.
  let said = '';
  const tell = (from: number, { limit, left }: Asking): void => {
    const until = `${new Date(from + (Number.isFinite(left) ? left : limit)).toISOString().slice(0, 19)}Z`;
    if (until === said) return;
    said = until;
    say(io.stderr, `Waiting for the remote ${quoted(name)}, until ${until} at the latest ...`);
  };
  return {
    ...(interrupts && { left: interrupts.left, stop: interrupts.second }),
    onAsking: asking => {
      const over = interrupts?.asking(name, asking);
      const begun = io.now();
      const stop = io.every?.(SAID_AFTER, () => {
        stop?.();
        tell(begun, asking);
      });
      return () => {
        stop?.();
        over?.();
      };
    },
  };
}

function notARemote(chosen: string, names: readonly string[]): Stop {
  return new Stop(
    EXIT.invalid,
    `\`lock_remote\` in meshform.yaml names ${quoted(`${new RemoteAddress(chosen)}`)}, which is no remote of this clone`,
    names.length === 0
      ? 'add it with `git remote add`'
      : `remotes are: ${names.map(quoted).join(', ')}`,
  );
}
