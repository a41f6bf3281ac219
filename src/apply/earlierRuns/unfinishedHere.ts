// Objects known by id although no base has the id: those of unfinished applies of this machine whose journals the remote does not
// have, and those of complete applies that recorded no base.
import { basename } from 'node:path';
import type { LeftObjects } from '../../model/leftObjects.ts';
import type { RecordedId } from '../../model/recordedBase.ts';
import type { Signer } from '../../model/signer.ts';
import { isFinished, serverIn } from '../../report/run/journalLines.ts';
import { journalsIn, readJournal } from '../journal/journalFile.ts';
import { allJournals, type JournalsHost, journalsFor } from '../journal/journalFolder.ts';
import type { SharedJournals } from '../journal/sharedJournals.ts';
import { journalIn } from './foundJournal.ts';
import { isPlanOf, isVerified, type RemoteRun, undoneIn, type VerifiedRun } from './remoteRuns.ts';
import { joined, leftOf, type UnfinishedRequest, uncountedLeft } from './unfinished.ts';
import { madeBy } from './withoutBase.ts';

/** Older journals are left out: each is read whole. */
const MOST = 50;

/** Where the journals of this machine are, and who verifies them. */
export interface HereRequest extends Omit<UnfinishedRequest, 'lock'> {
  readonly host: JournalsHost;
  readonly signer: Signer;
  /** The journals at the remote, which know more of the runs that they have. */
  readonly journals: SharedJournals | undefined;
}

/**
 * What the unfinished applies of the files at `path` at this address left, by the journals of this machine, and what complete applies
 * made without a base. Throws an `ApiError`.
 */
export async function knownByJournals(asked: HereRequest): Promise<LeftObjects> {
  const { path, request } = asked;
  const here = await journalsHere(asked);
  const left = [];
  for (const run of runsHere(here, asked))
    left.push(await leftOf(run, { path, request, isCopy: false }));
  return { ...uncountedLeft(joined(left)), madeSince: () => madeWithoutBase(here, asked) };
}

/** The unfinished applies of the files at `path` at this address whose journals are only on this machine, newest first. */
export const unfinishedHere = async (asked: HereRequest): Promise<readonly VerifiedRun[]> =>
  runsHere(await journalsHere(asked), asked);

/** What counts as declared by the base, and more that is known. */
export const withKnown = (left: LeftObjects, more: LeftObjects): LeftObjects => ({
  ...left,
  known: [...left.known, ...more.known],
  updated: [...left.updated, ...more.updated],
  replaced: [...left.replaced, ...more.replaced],
  deleted: new Map([...left.deleted, ...more.deleted]),
  ...(more.madeSince && { madeSince: more.madeSince }),
});

/** The applies of this machine that nobody finished, of all folders and accounts, named by the files of their journals; newest first. */
export async function unfinishedOfMachine(
  signer: Signer,
  host: JournalsHost,
): Promise<readonly RemoteRun[]> {
  const files = (await allJournals(host)).slice(0, MOST);
  const texts = await Promise.all(files.map(file => readJournal(file).catch(() => '')));
  const all = texts.map((text, i) => runOf(files[i] ?? '', text, signer));
  const undone = undoneIn(all);
  return all.filter(({ run, text }) => text !== '' && !isFinished(text) && !undone.has(run));
}

/** The text of a journal, and the name of its file. */
type Journal = Pick<RemoteRun, 'name' | 'text'>;

// The journals of the files on this machine that are for the server of the run, newest first.
async function journalsHere({ path, request, host }: HereRequest): Promise<readonly Journal[]> {
  const { url } = request.connection;
  const files = (await journalsIn(await journalsFor(path, host))).slice(0, MOST);
  const texts = await Promise.all(files.map(file => readJournal(file).catch(() => '')));
  return texts
    .map((text, i) => ({ name: basename(files[i] ?? ''), text }))
    .filter(({ text }) => text !== '' && serverIn(text) === url);
}

function runsHere(
  here: readonly Journal[],
  { path, host, signer, journals }: HereRequest,
): readonly VerifiedRun[] {
  return here
    .filter(({ text }) => !isFinished(text))
    .map(({ name, text }) => runOf(name, text, signer))
    .filter(isVerified)
    .filter(run => journals?.nameOf(run.run) === undefined)
    .filter(({ read }) => isPlanOf(read.plan, { path, cwd: host.cwd }));
}

// What the remote has is the same run.
async function madeWithoutBase(
  here: readonly Journal[],
  { path, host, signer, journals, request }: HereRequest,
): Promise<readonly RecordedId[]> {
  const there = ((await journals?.all()) ?? []).filter(
    ({ text }) => serverIn(text) === request.connection.url,
  );
  const isOfFiles = ({ read }: VerifiedRun) => isPlanOf(read.plan, { path, cwd: host.cwd });
  return [there, here].flatMap(all =>
    madeBy(all, ({ name, text }) => {
      const run = runOf(name, text, signer);
      return isVerified(run) && isOfFiles(run) ? run.read : null;
    }),
  );
}

function runOf(name: string, text: string, signer: Signer): RemoteRun {
  const read = journalIn(text, signer);
  const run = 'chain' in read ? (read.chain?.run ?? '') : '';
  return { name, text, run, read };
}
