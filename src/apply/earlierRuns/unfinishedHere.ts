// Applies of this machine that nobody finished, and whose journals the remote does not have: what they created is known by its id.
import { basename } from 'node:path';
import type { LeftObjects } from '../../model/leftObjects.ts';
import type { Signer } from '../../model/signer.ts';
import { isFinished, serverIn } from '../../report/run/journalLines.ts';
import { journalsIn, readJournal } from '../journal/journalFile.ts';
import { allJournals, type JournalsHost, journalsFor } from '../journal/journalFolder.ts';
import type { SharedJournals } from '../journal/sharedJournals.ts';
import { journalIn } from './foundJournal.ts';
import { isPlanOf, isVerified, type RemoteRun, undoneIn, type VerifiedRun } from './remoteRuns.ts';
import { joined, leftOf, type UnfinishedRequest, uncountedLeft } from './unfinished.ts';

/** Older journals are left out: each is read whole. */
const MOST = 50;

/** Where the journals of this machine are, and who verifies them. */
export interface HereRequest extends Omit<UnfinishedRequest, 'lock'> {
  readonly host: JournalsHost;
  readonly signer: Signer;
  /** The journals at the remote, which know more of the runs that they have. */
  readonly journals: SharedJournals | undefined;
}

/** What the unfinished applies of the files at `path` at this address left, by the journals of this machine. Throws an `ApiError`. */
export async function unfinishedHere(asked: HereRequest): Promise<LeftObjects> {
  const { path, request } = asked;
  const left = [];
  for (const run of await runsHere(asked))
    left.push(await leftOf(run, { path, request, isCopy: false }));
  return uncountedLeft(joined(left));
}

/** What counts as declared by the base, and more that is known. */
export const withKnown = (left: LeftObjects, more: LeftObjects): LeftObjects => ({
  ...left,
  known: [...left.known, ...more.known],
  updated: [...left.updated, ...more.updated],
  replaced: [...left.replaced, ...more.replaced],
  deleted: new Map([...left.deleted, ...more.deleted]),
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

async function runsHere({
  path,
  request,
  host,
  signer,
  journals,
}: HereRequest): Promise<readonly VerifiedRun[]> {
  const { url } = request.connection;
  const files = (await journalsIn(await journalsFor(path, host))).slice(0, MOST);
  const found: VerifiedRun[] = [];
  for (const file of files) {
    const text = await readJournal(file).catch(() => '');
    if (text === '' || isFinished(text) || serverIn(text) !== url) continue;
    const run = runOf(basename(file), text, signer);
    const isHere = isVerified(run) && journals?.nameOf(run.run) === undefined;
    if (isHere && isPlanOf(run.read.plan, { path, cwd: host.cwd })) found.push(run);
  }
  return found;
}

function runOf(name: string, text: string, signer: Signer): RemoteRun {
  const read = journalIn(text, signer);
  const run = 'chain' in read ? (read.chain?.run ?? '') : '';
  return { name, text, run, read };
}
