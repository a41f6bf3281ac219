// Finds the ids of objects that no base contains. They come from three sources: unfinished applies
// of this machine whose journals are not at the remote, applies that were closed before they were
// finished, and complete applies.
import { basename, join, resolve } from 'node:path';
import type { CompleteObject, LeftObjects } from '../../model/leftObjects.ts';
import type { Signer } from '../../model/signer.ts';
import { folderOf } from '../../read/files/projectFilesAbove.ts';
import { isGone } from '../../read/git/layersLost.ts';
import { isFinishedBy } from '../../report/run/forgedEnd.ts';
import {
  awaitsBase,
  isAbandoned,
  isClosedUnfinished,
  isCompleteWithoutBase,
  isCutBeforeBegin,
  isFinished,
  leavesSomething,
  serverIn,
} from '../../report/run/journalLines.ts';
import { journalsIn, readJournal } from '../journal/journalFile.ts';
import { allJournals, type JournalsHost, journalsFor } from '../journal/journalFolder.ts';
import type { SharedJournals } from '../journal/sharedJournals.ts';
import { createdElsewhere, type IsCreatedElsewhere } from './createdElsewhere.ts';
import { createdObjects, declaredEnds } from './createdObjects.ts';
import { journalIn, unverifiedIn } from './foundJournal.ts';
import { goneFolders } from './goneFolders.ts';
import { journalsOfOtherFolders } from './journalsElsewhere.ts';
import { isPlanOf, isVerified, type RemoteRun, undoneIn, type VerifiedRun } from './remoteRuns.ts';
import { createdWithoutBase } from './runsWithoutBase.ts';
import {
  joinedUnfinished,
  leftByClosed,
  leftByGoneFolder,
  leftOf,
  NONE,
  type Unfinished,
  type UnfinishedRequest,
  uncountedLeft,
} from './unfinished.ts';

/**
 * The maximum number of journals. Older journals are skipped, because each journal is read
 * completely.
 */
const MOST = 50;

/** The place of the journals of this machine, and the signer that verifies them. */
export interface HereRequest extends Omit<UnfinishedRequest, 'lock'> {
  readonly host: JournalsHost;
  readonly signer: Signer;
  /** The journals at the remote, which may have more lines than the journals of this machine. */
  readonly journals: SharedJournals | undefined;
}

/**
 * Returns what unfinished applies of the files at `path` at this address left, according to the
 * journals of this machine. Also returns what closed applies left, and what complete applies
 * created. Throws an `ApiError`.
 */
export async function knownByJournals(asked: HereRequest): Promise<LeftObjects> {
  const { path, request } = asked;
  const here = await journalsHere(asked);
  const there = await journalsThere(asked);
  const left = [];
  const undone = undoneByAny([...there, ...here], asked.signer);
  const texts = [...there, ...here].map(({ text }) => text);
  const isCreatedElsewhere = createdElsewhere(texts, asked.signer);
  for (const run of runsHere(here, asked))
    if (!undone.has(run.run))
      left.push(await leftOf(run, { path, request, isCopy: false, isCreatedElsewhere }));
  for (const { run, isCopy } of closedRuns({ here, there }, asked))
    if (!undone.has(run.run))
      left.push(await leftByClosed(run, request, { isCopy, isCreatedElsewhere }));
  left.push(await leftByAbandoned(there, isCreatedElsewhere, asked));
  left.push(await leftInGoneHere(here, { undone, isCreatedElsewhere }, asked));
  return {
    ...uncountedLeft(joinedUnfinished(left)),
    unverified: await unverifiedHere(here, asked),
    withEnds: withEndsIn({ here, there }, asked),
    madeByComplete: () => Promise.resolve(madeByComplete([there, here], asked)),
    layersBefore: () => layersBefore([...there, ...here], asked),
  };
}

// The ids of runs that were undone. They are skipped, because the person who undid a run has looked
// at what the run left.
function undoneByAny(all: readonly Journal[], signer: Signer): ReadonlySet<unknown> {
  const undoing = all.filter(({ text }) => isFinished(text) && text.includes('"undoes_run":"'));
  return undoneIn(undoing.map(({ name, text }) => runOf(name, text, signer)));
}

// Finds what applies left that a person closed and whose folders no longer have files. Nothing else
// reports it.
async function leftByAbandoned(
  there: readonly Journal[],
  isCreatedElsewhere: IsCreatedElsewhere,
  { path, request, host, signer }: HereRequest,
): Promise<Unfinished> {
  const { goneOf } = goneFolders({ path, host });
  const left: Unfinished[] = [];
  for (const { name, text } of there) {
    const run = isAbandoned(text) ? runOf(name, text, signer) : undefined;
    if (run === undefined || !isVerified(run)) continue;
    const formerFolder = await goneOf(run.read.plan);
    if (formerFolder !== undefined)
      left.push({
        ...NONE,
        ...leftByGoneFolder(
          await leftByClosed(run, request, { isCopy: true, isCreatedElsewhere }),
          formerFolder,
        ),
      });
  }
  return joinedUnfinished(left);
}

// Finds what applies left whose folders no longer have files, from the journals of this machine
// alone.
async function leftInGoneHere(
  here: readonly Journal[],
  {
    undone,
    isCreatedElsewhere,
  }: { readonly undone: ReadonlySet<unknown>; readonly isCreatedElsewhere: IsCreatedElsewhere },
  { path, request, host, signer, journals }: HereRequest,
): Promise<Unfinished> {
  const { goneOf } = goneFolders({ path, host });
  const left: Unfinished[] = [];
  for (const { name, text } of here) {
    const isOpen = !isFinished(text) || awaitsBase(text);
    const run = isOpen || isAbandoned(text) ? runOf(name, text, signer) : undefined;
    if (run === undefined || !isVerified(run)) continue;
    if (undone.has(run.run) || journals?.nameOf(run.run) !== undefined) continue;
    if (isPlanOf(run.read.plan, { path, cwd: host.cwd })) continue;
    const formerFolder = await goneOf(run.read.plan);
    if (formerFolder === undefined) continue;
    const found = isOpen
      ? await leftOf(run, { path, request, isCopy: false, isCreatedElsewhere })
      : await leftByClosed(run, request, { isCopy: false, isCreatedElsewhere });
    left.push({ ...NONE, ...leftByGoneFolder(found, formerFolder) });
  }
  return joinedUnfinished(left);
}

/** Whether the text of a journal shows that its apply may have left something. */
const mayLeave = (text: string, signer: Signer): boolean =>
  !isFinishedBy(text, signer) || awaitsBase(text) || (isAbandoned(text) && leavesSomething(text));

// Journals of this machine that no key of this run signed, or that cannot be read. Their applies
// may have left something that cannot be determined.
async function unverifiedHere(
  here: readonly JournalHere[],
  { path, host, signer, journals }: HereRequest,
): Promise<readonly string[]> {
  const { goneOf } = goneFolders({ path, host });
  const found: string[] = [];
  for (const { name, text, path: file } of here) {
    // For a complete journal, only the last line is verified. Otherwise, every apply would make
    // later plans slower.
    if (!mayLeave(text, signer)) continue;
    const { read } = runOf(name, text, signer);
    if ('chain' in read) continue;
    const told = unverifiedIn(text);
    // If the first line is unreadable, only the folder of journals shows to which files a journal
    // belongs.
    const isOfFiles =
      told === undefined ||
      isPlanOf(told.plan, { path, cwd: host.cwd }) ||
      (await goneOf(told.plan)) !== undefined;
    const isShared = journals?.nameOf(told?.chain?.run ?? '') !== undefined;
    if (isOfFiles && !isShared) found.push(file);
  }
  return found;
}

/**
 * The unfinished applies of the files at `path` at this address whose journals are only on this
 * machine, newest first.
 */
export const unfinishedHere = async (asked: HereRequest): Promise<readonly VerifiedRun[]> =>
  runsHere(await journalsHere(asked), asked);

/**
 * Adds what other journals show to the left objects. The added objects do not count as declared by
 * the base.
 */
export const withKnown = (left: LeftObjects, more: LeftObjects): LeftObjects => ({
  ...left,
  known: [...left.known, ...more.known],
  updated: [...left.updated, ...more.updated],
  replaced: [...left.replaced, ...more.replaced],
  deleted: new Map([...left.deleted, ...more.deleted]),
  made: [...left.made, ...more.made],
  leftInGone: [...left.leftInGone, ...more.leftInGone],
  written: [...left.written, ...more.written],
  unverified: [...(left.unverified ?? []), ...(more.unverified ?? [])],
  ...(more.withEnds && { withEnds: more.withEnds }),
  ...(more.madeByComplete && { madeByComplete: more.madeByComplete }),
  ...(more.layersBefore && { layersBefore: more.layersBefore }),
});

/**
 * The unfinished applies of this machine, of all folders and accounts, newest first. Each is named
 * by the file of its journal.
 */
export async function unfinishedOfMachine(
  signer: Signer,
  host: JournalsHost,
): Promise<readonly RemoteRun[]> {
  const files = (await allJournals(host)).slice(0, MOST);
  const texts = await Promise.all(files.map(file => readJournal(file).catch(() => '')));
  const all = texts.map((text, i) => runOf(files[i] ?? '', text, signer));
  const undone = undoneIn(all);
  return all.filter(
    ({ run, text }) => text !== '' && !isFinishedBy(text, signer) && !undone.has(run),
  );
}

/** The text of a journal, and the name of its file. */
type Journal = Pick<RemoteRun, 'name' | 'text'>;

/** A journal on this machine. */
interface JournalHere extends Journal {
  readonly path: string;
}

// The journals on this machine for the server of the run, newest first. They are the journals of
// the files, and journals of other folders whose applies may have left something. A journal that
// does not name its server is included if it is in the folder of the files and its apply began.
async function journalsHere({
  path,
  request,
  host,
  signer,
}: HereRequest): Promise<readonly JournalHere[]> {
  const { url } = request.connection;
  const files = (await journalsIn(await journalsFor(path, host))).slice(0, MOST);
  const texts = await Promise.all(files.map(file => readJournal(file).catch(() => '')));
  const own = texts
    .map((text, i) => ({ text, path: files[i] ?? '' }))
    .filter(({ text }) => [url, undefined].includes(serverIn(text)) && !isCutBeforeBegin(text));
  const asked = { path, url, host: { ...request.host, ...host } };
  const others = await journalsOfOtherFolders(asked, text => mayLeave(text, signer));
  return [...own, ...others].map(one => ({ ...one, name: basename(one.path) }));
}

const runsHere = (here: readonly Journal[], asked: HereRequest): readonly VerifiedRun[] =>
  ofFiles(
    here.filter(({ text }) => !isFinished(text)),
    asked,
  ).filter(({ run }) => asked.journals?.nameOf(run) === undefined);

// The journals at the remote that are for the server of the run, newest first.
const journalsThere = async ({ journals, request }: HereRequest): Promise<readonly Journal[]> =>
  ((await journals?.all()) ?? []).filter(({ text }) => serverIn(text) === request.connection.url);

/** A run that nobody continues, and whether its journal may lack the last lines. */
interface ClosedRun {
  readonly run: VerifiedRun;
  readonly isCopy: boolean;
}

// The applies of the files that were closed before they were finished, and applies of this machine
// that did everything except record their base. For a run that is also at the remote, only the
// journal at the remote is used.
function closedRuns(
  { here, there }: { readonly here: readonly Journal[]; readonly there: readonly Journal[] },
  asked: HereRequest,
): readonly ClosedRun[] {
  const ofRemote = there.filter(({ text }) => isClosedUnfinished(text));
  const ofMachine = here.filter(({ text }) => isClosedUnfinished(text) || awaitsBase(text));
  const known = ofFiles(ofRemote, asked).map(run => ({ run, isCopy: true }));
  const own = ofFiles(ofMachine, asked).filter(
    ({ run }) => asked.journals?.nameOf(run) === undefined,
  );
  return [...known, ...own.map(run => ({ run, isCopy: false }))];
}

// The remote has the runs of all machines, so its entries come first.
function madeByComplete(
  places: readonly (readonly Journal[])[],
  asked: HereRequest,
): readonly CompleteObject[] {
  const made = places.flatMap(all =>
    createdWithoutBase(all, journal => ofFiles([journal], asked)[0]?.read ?? null, {
      madeObjects: createdObjects(asked.request.kinds),
      declaredEnds: (plan, named) => declaredEnds(plan, named, asked.request.kinds),
    }),
  );
  const byId = Map.groupBy(made, ({ kind, id }) => `${kind} ${id}`);
  return [...byId.values()].flatMap(([first]) => first ?? []);
}

// The journals that may show objects with an expiry time, selected by their text. This check comes
// first, because each journal is read completely and few applies create such objects.
function withEndsIn(
  { here, there }: { readonly here: readonly Journal[]; readonly there: readonly Journal[] },
  asked: HereRequest,
): LeftObjects['withEnds'] {
  const mayHave = ({ text }: Journal) => text.includes('"until":') && isCompleteWithoutBase(text);
  if (!here.some(mayHave) && !there.some(mayHave)) return undefined;
  return madeByComplete([there, here], asked).filter(
    ({ hasEnd, until }) => hasEnd && until !== undefined,
  );
}

// The layers of earlier applies. Journals are first selected by their text, because each journal is
// read completely and few applies have layers.
function layersBefore(journals: readonly Journal[], asked: HereRequest): readonly string[] {
  const layered = journals.filter(({ text }) => text.includes('"layers":'));
  const ways = ofFiles(layered, asked).flatMap(({ read }) => read.plan.layers ?? []);
  const home = folderOf(resolve(asked.host.cwd, asked.path));
  return [...new Set(ways)].filter(way => !isGone(join(home, way)));
}

const ofFiles = (
  journals: readonly Journal[],
  { path, host, signer }: HereRequest,
): readonly VerifiedRun[] =>
  journals
    .map(({ name, text }) => runOf(name, text, signer))
    .filter(isVerified)
    .filter(({ read }) => isPlanOf(read.plan, { path, cwd: host.cwd }));

function runOf(name: string, text: string, signer: Signer): RemoteRun {
  const read = journalIn(text, signer);
  const run = 'chain' in read ? (read.chain?.run ?? '') : '';
  return { name, text, run, read };
}
