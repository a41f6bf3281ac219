// Loads the last applied state: the base given for a run, and the recorded base.

import { guardsInBase } from '../../base/guards/recordedGuards.ts';
import type { BaseBefore } from '../../base/nextBase.ts';
import { baseRef, fetchBases } from '../../base/refName.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Guards } from '../../model/guards.ts';
import type { Desired } from '../../model/object.ts';
import type { Recorded } from '../../model/plan.ts';
import type { BaseLayers } from '../../model/recordedBase.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import type { SourceReader } from '../../source/load.ts';
import type { Inputs } from '../../source/values/externalInputs.ts';
import { folderOf } from '../files/projectFilesAbove.ts';
import { type BaseTexts, baseTexts, type FilesRequest, textsAt } from './baseFiles.ts';
import { accountUnknown, basesOfAny } from './baseRefs.ts';
import { type FolderBase, folderBase, startsFromFormer } from './folderBase.ts';
import { formerGuards } from './formerGuards.ts';
import { type AppliedBefore, notBehind } from './history.ts';
import type { Layer } from './layers.ts';
import { layersGone, layersLost } from './layersLost.ts';
import { objectsOf, type StoredBase } from './storedBases.ts';
import { pathInRepository } from './workRevision.ts';

/** The value of `--base` for the recorded base of an earlier apply: `--base auto`. */
export const RECORDED = 'auto';

/** The requested base, and the folder to which it belongs. */
export interface BaseRequest extends FilesRequest {
  readonly account: string | undefined;
  /** The `name` in the project file. */
  readonly name: string | undefined;
  /** Whether a run without `--base` is compared with the recorded base, if there is one. */
  readonly isBaseIfRecorded?: boolean;
  /** Whether this run will be recorded as the base of the next run. */
  readonly isRecording: boolean;
  /** Whether the plan of this run can be saved: a saved plan contains the base that it will record. */
  readonly isSaved: boolean;
  /** Whether the user said that this is the first run of the folder. */
  readonly isFirst: boolean;
  readonly formerBase?: KnownFormerBase;
  /** Whether the run deletes what the files do not declare. */
  readonly isPruned: boolean;
}

/**
 * Returns why a folder has no base at a ref, and what to do, if something on this machine shows that it had one; null otherwise.
 * `isFirst`: the user said that the folder never had a base.
 */
export type KnownFormerBase = (
  ref: string,
  isFirst: boolean,
) => Promise<{ readonly message: string; readonly hint: string } | null>;

/** The base of a run, and its faults. */
export interface Bases {
  readonly base: readonly Desired[];
  /**
   * Whether the base is known to have been applied, because it is the recorded base or the revision that the recorded base names.
   */
  readonly isApplied: boolean;
  /** Absent if there is no base and none will be recorded. */
  readonly recorded?: Recorded;
  /** The folder, and the objects of its recorded base; absent if nothing will be recorded. */
  readonly before?: Omit<BaseBefore, 'guards' | 'strictest' | 'variables'>;
  /** The guards of the given base and of the recorded base; empty if the bases have none. */
  readonly guards: readonly Guards[];
  /** The guards of the recorded base. */
  readonly recordedGuards?: Guards;
  /** The recorded base of the folder, if the run reads it. */
  readonly stored?: StoredBase;
  readonly diagnostics: readonly Diagnostic[];
}

/** The parts that turn files and recorded objects into declared objects. */
export interface BaseReading {
  readonly kinds: KindTable;
  readonly reader: SourceReader;
  readonly inputs: Inputs;
}

/** Loads the given base, and the recorded base if this run will be recorded. */
export async function loadBases(
  base: string | undefined,
  request: BaseRequest,
  reading: BaseReading,
): Promise<Bases> {
  const found = await foundBases(base, request, reading);
  const { asked, given, other, isAuto } = found;
  const last = asked.stored ?? (await baseOfLayers(request));
  const lost = request.isPruned && last ? (layersLost(last, request.layers) ?? []) : [];
  const gone = [lost, layersGone(last, request)].flat();
  if (given === null && !request.isRecording && !request.isSaved)
    return { base: [], isApplied: false, guards: [], diagnostics: gone };
  const findings = await baseFindings(found, request);
  const before = beforeRun(found, request);
  return {
    base: given?.desired ?? [],
    isApplied: isAuto || isRevisionOf(given, asked),
    recorded: recordedOf(found, request),
    ...(before && { before }),
    ...(asked.stored && { stored: asked.stored }),
    guards: [given?.guards ?? [], other?.guards ?? []].flat(),
    ...(asked.guards && { recordedGuards: asked.guards }),
    diagnostics: [...findings, ...gone],
  };
}

/** The bases of a run. */
interface FoundBases {
  /** The recorded base; empty if the run does not need it. */
  readonly asked: LoadedBase;
  /** The base that the run is compared with; null if there is none. */
  readonly given: LoadedBase | null;
  /** The recorded base, if it differs from the given base. */
  readonly other: LoadedBase | null;
  /** Whether the recorded base is the base that the run is compared with. */
  readonly isAuto: boolean;
}

async function foundBases(
  base: string | undefined,
  request: BaseRequest,
  reading: BaseReading,
): Promise<FoundBases> {
  const isAuto =
    base === RECORDED ||
    (base === undefined && request.isBaseIfRecorded === true && (await isRecorded(request)));
  const isAsked = isAuto || request.isRecording;
  const asked = isAsked ? await recordedBase(request, reading, isAuto) : NOTHING;
  if (isAuto) return { asked, given: asked, other: null, isAuto };
  const given =
    base === undefined
      ? null
      : await loadedFiles(await baseTexts(request, base, reading.kinds), 'base', request, reading);
  // The document of a recorded base may contain other values than its revision, which is read with the current variables.
  const isSame = asked.isFromFiles === true && isRevisionOf(given, asked);
  return { asked, given, other: isSame ? null : asked, isAuto };
}

// Whether a base is the revision that the recorded base names as applied.
const isRevisionOf = (given: LoadedBase | null, { applied }: LoadedBase): boolean =>
  given?.commit !== undefined && given.commit === applied?.revision;

const recordedOf = ({ asked, given, other }: FoundBases, { isFirst }: BaseRequest): Recorded => ({
  objects: other?.desired ?? [],
  commits: [...new Set([given?.commit, asked.commit])].filter(commit => commit !== undefined),
  ...(asked.stored && { recorded: asked.stored.commit }),
  ...(isFirst && { isFirst: true }),
  ...((given !== null || asked.applied || isFirst) && { hasBase: true }),
});

function beforeRun(
  { asked }: FoundBases,
  { path, name, layers, isRecording, isSaved }: BaseRequest,
): Bases['before'] {
  if (!isRecording && !isSaved) return undefined;
  return {
    ...(name !== undefined && { name }),
    folder: pathInRepository(path),
    ...layersRecorded(layers.layers),
    objects: asked.stored?.base.objects ?? [],
    ...(asked.stored?.base.undone && { undone: asked.stored.base.undone }),
  };
}

async function baseFindings(
  { asked, given, other }: FoundBases,
  { path, host, isRecording }: BaseRequest,
): Promise<readonly Diagnostic[]> {
  const undoing =
    isRecording && asked.applied
      ? await notBehind({ folder: folderOf(path), host }, asked.applied)
      : null;
  return [
    ...(given?.diagnostics ?? []),
    ...(other?.diagnostics ?? []).map(fault =>
      given && other?.isFromFiles ? passedOver(fault) : fault,
    ),
    ...(undoing === null ? [] : [undoing]),
  ];
}

function layersRecorded(layers: readonly Layer[]): Pick<BaseLayers, 'layers' | 'absent'> {
  const absent = layers.filter(({ isAbsent }) => isAbsent);
  return {
    ...(layers.length > 1 && { layers: layers.map(({ path }) => pathInRepository(path)) }),
    ...(absent.length > 0 && { absent: absent.map(({ path }) => pathInRepository(path)) }),
  };
}

// Reads the recorded base for a run that does not request one, to notice two mistakes. A layer of an account may no longer exist,
// so that the run would revert its settings. Or a layer may be missing among the arguments, so that a run with pruning would
// delete what that layer declares.
async function baseOfLayers(request: BaseRequest): Promise<StoredBase | undefined> {
  const { account, isPruned, layers } = request;
  const isWhole = layers.layers.every(({ isAbsent }) => !isAbsent);
  const isForgetful = isPruned && !layers.areListed;
  if ((isWhole && !isForgetful) || account === undefined) return undefined;
  const found = await folderBaseOf(request, account);
  return found.is === 'recorded' ? found.stored : undefined;
}

interface LoadedBase {
  readonly desired: readonly Desired[];
  readonly commit?: string | undefined;
  readonly stored?: StoredBase;
  readonly applied?: AppliedBefore;
  readonly guards?: Guards | undefined;
  /** Whether the base was read from files. If not, it comes from a document, which is complete in itself. */
  readonly isFromFiles?: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

// A base that cannot be read or was not fetched also counts as recorded, because the run that needs it must stop.
async function isRecorded(request: BaseRequest): Promise<boolean> {
  const { host, path, account } = request;
  const place = { folder: folderOf(path), host };
  // If the files no longer name their account, any base counts.
  if (account === undefined) return (await basesOfAny(place)) !== null;
  const found = await folderBaseOf({ ...request, isFirst: false }, account);
  if (found.is === 'fault') return found.fault.code !== 'BASE_NOT_FOUND';
  return found.is === 'recorded';
}

function folderBaseOf(
  { host, path, name, isFirst }: BaseRequest,
  account: string,
): Promise<FolderBase> {
  const folder = pathInRepository(path);
  return folderBase({
    host,
    path,
    account,
    folder,
    isFirst,
    ...(name !== undefined && { name }),
  });
}

const NOTHING: LoadedBase = { desired: [], diagnostics: [] };

/** The recorded base of the folder. */
async function recordedBase(
  request: BaseRequest,
  reading: BaseReading,
  isAsked: boolean,
): Promise<LoadedBase> {
  const { account, isFirst, isRecording } = request;
  if (account === undefined) return withoutAccount(request);
  const found = await folderBaseOf(request, account);
  switch (found.is) {
    case 'fault':
      return { desired: [], diagnostics: [await withFormer(found.fault, request, account)] };
    case 'unusable':
      // A run that cannot record its base reports that itself.
      return { desired: [], diagnostics: isAsked ? [found.fault] : [] };
    case 'none': {
      const former = isFirst ? await request.formerBase?.(found.ref, isFirst) : null;
      if (former) return { desired: [], diagnostics: [{ ...NOT_FOUND, ...former }] };
      return {
        desired: [],
        diagnostics: [isRecording || isFirst ? firstBase(found.ref) : nothingIn(found)],
      };
    }
    case 'former':
      return formerBase(found, request, reading);
    case 'recorded':
      return storedObjects(found.stored, reading);
  }
}

// The fault of a folder without a base. If something shows that the folder had a base before, the fault says so.
async function withFormer(
  fault: Diagnostic,
  { path, name, formerBase }: BaseRequest,
  account: string,
): Promise<Diagnostic> {
  if (fault.code !== NOT_FOUND.code) return fault;
  const folder = pathInRepository(path);
  const ref = baseRef(account, { folder, ...(name !== undefined && { name }) });
  return { ...fault, ...(await formerBase?.(ref, false)) };
}

const NOT_FOUND = { code: 'BASE_NOT_FOUND', severity: 'error' } as const;

// The fault if no file names the account: reading it from the server comes too late to find its base.
async function withoutAccount({ path, host, isRecording }: BaseRequest): Promise<LoadedBase> {
  const fault = isRecording ? await basesOfAny({ folder: folderOf(path), host }) : accountUnknown;
  return fault ? { desired: [], diagnostics: [fault] } : NOTHING;
}

async function formerBase(
  found: FolderBase & { readonly is: 'former' },
  request: BaseRequest,
  reading: BaseReading,
): Promise<LoadedBase> {
  const { commit, ref } = found;
  const texts = await textsAt(request, { commit, name: ref }, reading.kinds);
  const files = await loadedFiles(texts, 'recorded base', request, reading);
  return {
    ...files,
    applied: { ref, revision: commit },
    isFromFiles: true,
    diagnostics: [startsFromFormer(found), ...files.diagnostics],
  };
}

function storedObjects(stored: StoredBase, { kinds }: BaseReading): LoadedBase {
  const { ref, commit, base } = stored;
  const unknown = base.objects.find(({ kind }) => !kinds.has(kind));
  const desired = objectsOf(stored, kinds);
  return {
    desired,
    commit,
    stored,
    guards: base.guards && guardsInBase(base.guards, { file: ref, line: 1, column: 1 }),
    applied: { ref, revision: base.revision },
    diagnostics: [
      ...(unknown ? [unknownKind(ref, unknown.kind)] : []),
      ...(base.guards ? [] : [withoutGuards(ref)]),
    ],
  };
}

async function loadedFiles(
  texts: BaseTexts,
  name: string,
  request: FilesRequest,
  reading: BaseReading,
): Promise<LoadedBase> {
  const { files, commit, diagnostics } = texts;
  const { reader, inputs } = reading;
  const isPartial = diagnostics.some(({ code }) => code === 'BASE_LAYER_EMPTY');
  const read = files.length > 0 ? reader.read(files, inputs, { isPartial }) : NO_FILES;
  const former = await formerGuards(request, texts, read.accessTests, reading);
  const faults = [...diagnostics, ...read.diagnostics, ...former.diagnostics].filter(
    ({ severity }) => severity === 'error',
  );
  const notes = diagnostics.filter(({ severity }) => severity === 'note');
  return {
    desired: faults.length > 0 ? [] : read.desired,
    commit,
    guards: former.guards,
    diagnostics: [
      ...notes,
      ...faults.map((fault): Diagnostic => {
        if (fault.code === 'FLEET_LAYER') return fault;
        const message = `the ${name}: ${fault.message}`;
        return { ...fault, code: 'BASE_INVALID', message };
      }),
    ],
  };
}

const NO_FILES = { desired: [], accessTests: [], diagnostics: [] };

// If the files of an earlier version cannot be read, only the given base is used.
function passedOver(fault: Diagnostic): Diagnostic {
  return fault.severity === 'error'
    ? { ...fault, severity: 'warning', hint: 'only the base named with --base is used' }
    : fault;
}

/** The note for the first run that records a base. */
const firstBase = (ref: string): Diagnostic => ({
  code: 'BASE_NOT_RECORDED',
  severity: 'note',
  message: `no base is recorded yet: ${nameText(ref)} starts with this run, and nothing is treated as removed`,
});

const nothingIn = ({ ref }: { readonly ref: string }): Diagnostic => ({
  code: 'BASE_INVALID',
  severity: 'error',
  message: `no base of the account is recorded in this clone: git has no ${nameText(ref)}`,
  hint: `\`apply --record-base\` records it; a clone fetches it with ${quoted(fetchBases('origin'))}`,
});

/** The note for a base that an earlier version recorded. */
const withoutGuards = (ref: string): Diagnostic => ({
  code: 'BASE_WITHOUT_GUARDS',
  severity: 'note',
  message: `the base at ${nameText(ref)} contains no guards, because an earlier version recorded it: only the guards of the files count in this run`,
});

const unknownKind = (ref: string, kind: string): Diagnostic => ({
  code: 'BASE_INVALID',
  severity: 'error',
  message: `the base at ${nameText(ref)} has objects of the kind ${quoted(kind)}, which this version does not know`,
  hint: 'use the version of meshform that recorded it, or a newer one',
});
