// `base adopt`: moves the base of a folder that was moved or renamed to its new place.
import { signedBase } from '../../apply/recordedBase/record.ts';
import { withGuardsOf } from '../../base/guards/recordedGuards.ts';
import { baseRef, pushBases } from '../../base/refName.ts';
import { addressOf } from '../../model/key.ts';
import type { RecordedBase, RecordedId } from '../../model/recordedBase.ts';
import type { Signer } from '../../model/signer.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { loadSchemas } from '../../pipeline/schemas.ts';
import { nameOfBase } from '../../read/git/baseChain.ts';
import { type StoredBase, storedBases } from '../../read/git/storedBases.ts';
import { EXIT } from '../exitCodes.ts';
import { desiredOrStop } from '../files/desired.ts';
import type { SourceFlags } from '../flags/flags.ts';
import { type Io, say } from '../io.ts';
import { signerOrStop } from '../machine.ts';
import { Stop } from '../stop.ts';
import { type BaseStore, withBaseStore } from './baseStore.ts';
import { baseAt, type FolderOfBase, noteNewest, refuseOlder } from './ownBase.ts';
import { refuseUnmoved } from './refuseUnmoved.ts';
import { refuseUnfinished } from './unfinishedApplies.ts';

/** The flags of `base adopt`. */
export interface AdoptFlags extends SourceFlags {
  readonly yes?: boolean;
}

/** Moves the base called `name` to the folder at `path`. Resolves to the exit code; throws a `Stop`. */
export async function adoptBase(
  name: string,
  path: string,
  flags: AdoptFlags,
  io: Io,
): Promise<number> {
  const signer = signerOrStop(io);
  return withBaseStore(path, io, folder => adoptIn(folder, { name, path, signer, flags }, io));
}

interface Adopting {
  readonly name: string;
  readonly path: string;
  readonly signer: Signer;
  readonly flags: AdoptFlags;
}

async function adoptIn(folder: BaseStore, adopting: Adopting, io: Io): Promise<number> {
  const { path, signer, flags } = adopting;
  const { former, own } = await adoptableOrStop(folder, adopting, io);
  const { base, commit, ref } = former;
  const { desired } = await desiredOrStop(loadSchemas(), path, flags, io);
  const declared = new Set(desired.map(({ kind, key }) => addressOf(kind, key)));
  const removed = base.objects
    .map(({ kind, key }) => addressOf(kind, key))
    .filter(address => !declared.has(address));
  show(former, folder, removed, io);
  await confirmOrStop(flags, io);
  const taken = movedBase(former, own, folder);
  const document = signedBase(taken, signer);
  const next = {
    ref: folder.ref,
    recordedAt: io.now(),
    before: own?.commit ?? sameRef(former, folder),
    parents: [...new Set([(own ?? former).base.revision, ...(own ? [own.commit] : []), commit])],
    ...document,
  };
  const { recordedAt } = taken;
  const replaced = ref === folder.ref ? undefined : former;
  const moved = await folder.record(next, { signer, recordedAt, replaced });
  if ('why' in moved)
    throw new Stop(
      EXIT.failed,
      `the base could not be moved: ${moved.why}`,
      'run the command again',
    );
  await noteNewest(path, { base: moved }, signer, io);
  tellMoved(ref, folder, io);
  return EXIT.done;
}

/** The base to adopt, and the base that the folder already has. */
interface Adoptable {
  readonly former: StoredBase;
  readonly own: StoredBase | null;
}

async function adoptableOrStop(
  folder: BaseStore,
  { name, path, signer }: Adopting,
  io: Io,
): Promise<Adoptable> {
  const former = await formerBaseOrStop(name, folder);
  const { text, signature, ref } = former;
  if (!signer.isSigned('base', text, signature)) throw notSigned(ref);
  await refuseUnmoved(former, folder, signer);
  await refuseUnfinished(former, folder, { path, signer, io, use: 'adopt' });
  const own = ref === folder.ref ? null : await baseAt(folder.place, folder.ref);
  if (own && !signer.isSigned('base', own.text, own.signature)) throw notSigned(own.ref);
  for (const stored of own ? [former, own] : [former])
    await refuseOlder(path, stored, { ...folder, signer }, io);
  return { former, own };
}

function tellMoved(former: string, { ref, folder, remote }: BaseStore, io: Io): void {
  say(io.stderr, `${nameText(ref)} is the base of ${quoted(folder)} now`);
  // At the remote, the push has already moved the ref.
  if (remote !== undefined) return;
  say(io.stderr, `  push it: ${pushBases('origin')}`);
  if (former !== ref)
    say(io.stderr, `  remove the former base there: git push origin ${shellWord(`:${former}`)}`);
}

const sameRef = ({ ref, commit }: StoredBase, folder: FolderOfBase): string | undefined =>
  ref === folder.ref ? commit : undefined;

/**
 * The base of a folder that adopts another base: contains the folder's own objects, and the objects that only the other base has.
 */
function movedBase(
  former: StoredBase,
  own: StoredBase | null,
  { folder, name }: FolderOfBase,
): RecordedBase {
  const { base } = former;
  const { name: _, ...content } = own?.base ?? base;
  const known = new Set(own?.base.objects.map(({ kind, key }) => addressOf(kind, key)));
  const more = own ? base.objects.filter(({ kind, key }) => !known.has(addressOf(kind, key))) : [];
  const knownIds = new Set(content.ids?.map(({ kind, key }) => addressOf(kind, key)));
  const isNew = ({ kind, key }: RecordedId) => !knownIds.has(addressOf(kind, key));
  const ids = [...(content.ids ?? []), ...(base.ids ?? []).filter(isNew)];
  const at = { file: former.ref, line: 1, column: 1 };
  // The base keeps the names of applies whose journals are lost, because nothing else contains
  // these names.
  const unfinished = [...new Set([...(content.unfinished ?? []), ...(base.unfinished ?? [])])];
  const guards = own ? withGuardsOf(own.base.guards, base.guards, at) : base.guards;
  return {
    ...content,
    folder,
    ...(name !== undefined && { name }),
    before: nameOfBase(own ?? former),
    objects: [...content.objects, ...more],
    ...(ids.length > 0 && { ids }),
    ...(guards && { guards }),
    ...(unfinished.length > 0 && { unfinished }),
  };
}

const notSigned = (ref: string): Stop =>
  new Stop(
    EXIT.refused,
    `${nameText(ref)} is not signed with a key of this run`,
    'set MESHFORM_SIGNING_KEY to the key that signed it, or the token of the run that recorded it',
  );

async function formerBaseOrStop(
  name: string,
  { account, place }: FolderOfBase,
): Promise<StoredBase> {
  const ref = baseRef(account, { name, folder: name });
  const found = await baseAt(place, ref);
  if (found !== null) return found;
  const bases = await storedBases(place, account);
  const names = bases.flatMap(one => ('why' in one ? [] : (one.base.name ?? one.base.folder)));
  throw new Stop(
    EXIT.invalid,
    `there is no base called ${quoted(name)}`,
    names.length === 0
      ? "fetch the bases with `git fetch origin '+refs/meshform-base/*:refs/meshform-base/*'`"
      : `bases of the account are: ${names.map(quoted).join(', ')}`,
  );
}

function show(
  { base, ref }: StoredBase,
  { folder }: FolderOfBase,
  removed: readonly string[],
  { stdout }: Io,
): void {
  say(
    stdout,
    `${nameText(ref)}, the base of ${quoted(base.folder)}, becomes the base of ${quoted(folder)}.`,
  );
  say(
    stdout,
    removed.length === 0
      ? 'The files declare every object of this base: nothing would be removed.'
      : 'An apply with --prune removed would then delete what these files do not declare:',
  );
  for (const address of removed) say(stdout, `  ${address}`);
}

async function confirmOrStop({ yes }: AdoptFlags, { ask }: Io): Promise<void> {
  if (yes) return;
  if (!ask)
    throw new Stop(
      EXIT.usage,
      'there is no terminal to ask for confirmation',
      'check what would be removed, then add --yes',
    );
  const answer = await ask('\nTake over this base? Type "yes" to continue: ');
  if (answer.trim() === 'yes') return;
  throw new Stop(EXIT.refused, 'not moved: the answer was not "yes"', 'run it again and type yes');
}
