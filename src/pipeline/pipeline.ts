// The only file that knows the whole sequence: load → validate → fetch → plan. A command loads only the rooms that it needs.

import { basename, join, resolve } from 'node:path';
import type { ReadTransport } from '../api/transport/transport.ts';
import type { BaseBefore } from '../base/content.ts';
import { basesWithoutFolder, declaredTwice } from '../base/declaredTwice.ts';
import { elsewhereFindings, guardsElsewhere, type IsReadable } from '../base/guards/elsewhere.ts';
import { joinedGuards } from '../base/guards/joined.ts';
import { inOrder, loosenedFindings } from '../base/guards/loosenedFinding.ts';
import { formerGrantLimits } from '../base/guards/loosenedGrants.ts';
import { recordedGuards, strictestGuards } from '../base/guards/recorded.ts';
import { unrecognised } from '../base/recognise.ts';
import { acceptedByFiles } from '../engine/checks/acceptedByFiles.ts';
import type { Planned } from '../engine/plan/plan.ts';
import type { FoundEndings } from '../engine/plan/planEndings.ts';
import { bases, declaringNothing, type PlanInput } from '../engine/scope/run.ts';
import type { ReadScope } from '../engine/scope/scope.ts';
import type { PlanSettings } from '../engine/types/settings.ts';
import { objectDiffersByDialect } from '../kinds/dialect/dialects.ts';
import type { Kind, KindTable } from '../kinds/kind.ts';
import { readKinds } from '../kinds/registry.ts';
import type { DialectChoice } from '../kinds/traits.ts';
import { hostPartsOf, tellHidden } from '../kinds/values/hidden.ts';
import { refsOfShape } from '../kinds/values/refs.ts';
import { unknownHostNotes } from '../kinds/values/secretHosts.ts';
import type { AccessTest } from '../model/access/accessTest.ts';
import type { Allowance } from '../model/allowance.ts';
import { speaker } from '../model/called.ts';
import type { ComparedAccount, IdOf } from '../model/compared.ts';
import { type Diagnostic, hasErrors, type Span } from '../model/diagnostic.ts';
import type { Ending } from '../model/ending.ts';
import { isInGrants } from '../model/grantLimits.ts';
import type { Guards, GuardsElsewhere } from '../model/guards.ts';
import { addressOf } from '../model/key.ts';
import type { LeftObjects } from '../model/leftObjects.ts';
import type { KindName } from '../model/names.ts';
import type { Desired, Live } from '../model/object.ts';
import { declaredIn, type OtherFolder } from '../model/otherFolder.ts';
import type { Action, FormerEnd, Plan, Recorded } from '../model/plan.ts';
import type { UnstoredValue } from '../model/recordedBase.ts';
import { secretHostsOf } from '../model/secrets/secretHost.ts';
import { quoted } from '../model/text/visible.ts';
import type { ProgramHost } from '../read/environment.ts';
import type { FileText } from '../read/files/fileText.ts';
import type { FileTexts } from '../read/files/folder.ts';
import { fileInputs, unusableFiles } from '../read/files/inputs.ts';
import { folderOf, realOf } from '../read/files/upwards.ts';
import { readLayers } from '../read/git/checkout.ts';
import { loadLayers, waysOf } from '../read/git/layers.ts';
import { type KnownFormerBase, loadBases } from '../read/git/loadBases.ts';
import { mayHaveOthers, type OthersRequest, otherFolders } from '../read/git/otherFolders.ts';
import { recordedUnstored } from '../read/git/recordedUnstored.ts';
import { rememberingAnswers } from '../read/git/rememberedAnswers.ts';
import { repositoryOf } from '../read/git/repository.ts';
import { objectsOf, type StoredBase } from '../read/git/storedBases.ts';
import { endedAt } from '../source/endings/endedAt.ts';
import { folderAt } from '../source/endings/folderAt.ts';
import { readerOf, type SourceReader } from '../source/load.ts';
import { emptyListFindings } from '../source/objects/emptyLists.ts';
import type { EmptyList } from '../source/objects/locate.ts';
import { guardsOf } from '../source/project/guardsOf.ts';
import { PROJECT_FILE, type Project } from '../source/project/project.ts';
import type { Rendered } from '../source/rendered/render.ts';
import type { Inputs } from '../source/values/inputs.ts';
import { readEveryHidden } from '../source/values/readEveryHidden.ts';
import type { ReadText } from '../source/values/readHidden.ts';
import { unusedVariables } from '../source/values/variables.ts';
import type { RememberedParser } from '../source/yaml/remembered.ts';
import type { AccessSettings } from './planAccess.ts';
import type { Declarations, KnownNames } from './planNames.ts';

/** The kinds, and a loader that validates files against them. */
export interface Schemas {
  readonly kinds: KindTable;
  readonly reader: SourceReader;
}

/** The schemas of these kinds; without `kinds`, of the kinds that meshform ships. */
export function loadSchemas(kinds: KindTable = readKinds()): Schemas {
  const known = loaded.get(kinds) ?? { kinds, reader: readerOf(kinds) };
  loaded.set(kinds, known);
  return known;
}

// A fleet reads the files of hundreds of accounts: their schemas are compiled once.
const loaded = new WeakMap<KindTable, Schemas>();

/** Where desired state is, and its external inputs. */
export interface LoadRequest {
  /** A folder or one file: the last of several layers. */
  readonly path: string;
  /** The layers before it, in their order. By default those that the project file lists. */
  readonly layers?: readonly string[];
  /** Files as they will be, which are read in place of those that are there, and beside them. */
  readonly instead?: readonly FileText[];
  /** A folder or a git revision of the same folder. */
  readonly base?: string;
  /** Whether a run without `base` is compared with the recorded base, if there is one. */
  readonly isBaseIfRecorded?: boolean;
  /** Whether the run is recorded as the base of the next run. */
  readonly recordBase?: boolean;
  /** Whether the plan can be saved: a saved plan holds what it records. */
  readonly isSaved?: boolean;
  /** Whether a person said that this is the first run of the folder. */
  readonly isFirst?: boolean;
  /** Tells of a base that the folder had: then it has none only because somebody removed it. */
  readonly formerBase?: KnownFormerBase;
  /** Whether the run deletes what the files do not declare. */
  readonly isPruned?: boolean;
  /** Whether a person said that the files declare nothing, so that everything that the base declared is deleted. */
  readonly mayBeEmpty?: boolean;
  readonly strict: boolean;
  /** Whether the files are only compared with the account: then nothing that is wrong in other folders stops the run. */
  readonly isOnlyCompared?: boolean;
  /** Whether a plan will determine which undeclared objects the account has: then references to them are not errors yet. */
  readonly isPlanned?: boolean;
  readonly env: (name: string) => string | undefined;
  /** Whether all that the files declare is rendered as one text, too. */
  readonly isRendered?: boolean;
  /** Parses the files, for a program that reads them again and again. */
  readonly parse?: RememberedParser['parse'];
  /** Whether no value of a secret is looked up: then each counts as missing. */
  readonly areSecretsClosed?: boolean;
  /** The environment that git may see, for a base that is in git. */
  readonly host: ProgramHost;
  /** The account of the server, for files that name none; asked only if the repository may have other folders of the account. */
  readonly accountBehind?: (project: Project) => Promise<string | undefined>;
  /** Called once the files are read, and before any base is. */
  readonly beforeBases?: () => Promise<unknown>;
  /** The values of `${var:NAME}`, the only external input of ordinary fields; see `variablesFrom`. */
  readonly vars?: ReadonlyMap<string, string>;
  /** The variables that were set for this run: a warning lists those that no file uses. */
  readonly given?: readonly string[];
  /** Hazards that are accepted by flags: one of them removes limits that the files loosen. */
  readonly allow?: readonly Allowance[];
  /** Receives every secret that is looked up. */
  readonly onSecret?: (value: string) => void;
  /** The time at which the files are read, in milliseconds: what has ended by then is no longer desired. Without it, nothing has ended. */
  readonly now?: number;
  /** Reads the secrets that identify objects. Without it they are not read, and objects that need them cannot be planned. */
  readonly readSecret?: (text: string, layers: readonly string[]) => ReturnType<ReadText>;
  /** Receives the length of all files together before they are parsed. */
  readonly onLength?: (characters: number) => void;
  /** The folder that contains the base, if the base is a folder. */
  readonly cwd: string;
  /** A path as messages show it. */
  readonly shownAs: (path: string) => string;
}

/** Desired state and its project. If the diagnostics contain an error, nothing else may be used. */
export interface DesiredState {
  readonly project: Project;
  /** Where the files are, as messages show it: the last layer. */
  readonly folder: string;
  /** The folders of the other layers, by their paths from that folder; absent without layers. */
  readonly layers?: readonly string[];
  readonly desired: readonly Desired[];
  readonly accessTests: readonly AccessTest[];
  /** Every end that the files name, of what has ended too. */
  readonly endings?: readonly Ending[];
  readonly base: readonly Desired[];
  /** All that the files declare as one text, if it was asked for. */
  readonly rendered?: Rendered;
  /** Lists without objects, which pruning does not read as "none". */
  readonly emptyLists?: readonly EmptyList[];
  /** Objects that the next base must also keep; see `PlanInput`. */
  readonly recorded?: Recorded | undefined;
  /** What the next base starts from, if the run or its saved plan can be recorded. */
  readonly before?: BaseBefore;
  /** Whether something says that the base was applied: it is the recorded base, or its revision. */
  readonly isBaseApplied: boolean;
  /** The recorded base that the run is compared with. */
  readonly stored?: StoredBase;
  /** Declared values that the server accepted once and did not store. */
  readonly unstored?: readonly UnstoredValue[] | undefined;
  /** The objects that unfinished applies have created: they count as declared by the base. */
  readonly left?: LeftObjects;
  /** The guards of the project and its access tests. */
  readonly guards: Guards;
  /** The guards that were last applied: those of the bases. Absent without a base. */
  readonly applied?: Guards;
  /** The guards of other folders of the account, which count too. */
  readonly elsewhere?: GuardsElsewhere;
  /** What other folders of the account declare. */
  readonly others?: readonly OtherFolder[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Loads and validates everything, offline. Every fault of every file is found. */
export async function loadDesired(
  { kinds, reader }: Schemas,
  request: LoadRequest,
): Promise<DesiredState> {
  const layers = loadLayers({
    path: request.path,
    layers: request.layers,
    shownAs: request.shownAs,
    kinds,
    projectFiles: request.host.projectFiles,
  });
  const { project, places, diagnostics } = layers;
  const selection = { projectFile: PROJECT_FILE, exclude: project.exclude ?? [] };
  const remembering = rememberingAnswers();
  const read = await remembering(() => readLayers(layers.layers, request));
  const texts = withTexts(read, request.instead);
  const ways = waysOf(layers.layers);
  request.onLength?.(texts.files.reduce((sum, { text }) => sum + text.length, 0));
  const used = new Set<string>();
  const inputs = { ...inputsFor(request), onVariable: (name: string) => used.add(name) };
  const strict = request.strict && request.isPlanned !== true;
  const isRendered = request.isRendered === true;
  const isPartial = hasErrors(diagnostics);
  const isGrantFile = grantFiles(request, texts);
  const files = texts.files.map(one => (isGrantFile(one.file) ? { ...one, isGrant: true } : one));
  const loaded = reader.read(files, inputs, {
    strict,
    isRendered,
    isPartial,
    ...(request.parse && { parse: request.parse }),
  });
  await request.beforeBases?.();
  const baseRequest = {
    ...request,
    selection,
    layers,
    isPruned: request.isPruned === true,
    account: project.account,
    name: project.name,
    isRecording: request.recordBase === true,
    isSaved: request.isSaved === true,
    isFirst: request.isFirst === true,
  };
  const baseReading = { kinds, reader, inputs: { ...inputs, isEarlier: true } };
  const bases = await remembering(() => loadBases(request.base, baseRequest, baseReading));
  const { before, stored } = bases;
  const isOwn = (path: string) =>
    texts.files.some(({ file }) => file.startsWith(`${request.shownAs(path)}/`));
  const usedElsewhere = new Set<string>();
  const ofRun = {
    project,
    paths: layers.layers.map(({ path }) => path),
    isOwn,
    onVariable: (name: string) => usedElsewhere.add(name),
  };
  const found = await remembering(() => othersOf({ kinds, reader }, request, ofRun));
  const others = request.isOnlyCompared ? found.map(asRead) : found;
  const variables = [...used].sort().map(name => [name, inputs.vars.get(name) ?? ''] as const);
  const opened = await readEveryHidden(loaded, bases, kinds, readerFor(request, ways));
  const { objects } = opened;
  const { now = Number.NEGATIVE_INFINITY } = request;
  const { desired, endings } = endedAt(asGrants(objects.desired, isGrantFile), kinds, now);
  tellHosts([...objects.desired, ...objects.base, ...(objects.recorded?.objects ?? [])], request);
  const guards = guardsOf(project, loaded.accessTests, places);
  const applied = joinedGuards(bases.guards);
  const strictest = bases.recordedGuards && strictestGuards(bases.recordedGuards, guards);
  const selectors = [
    await selectorFindings(guards),
    ofBase(applied ? await selectorFindings(applied) : []),
  ].flat();
  const both = { declared: guards, applied };
  const granted = await grantsIn(objects.desired, both, { ...request, kinds, isGrantFile, now });
  const isReadable = await readableGuards(others);
  const elsewhere = guardsElsewhere(others, isReadable);
  const isHeld = request.isPlanned === true && !request.isOnlyCompared;
  const findings = [
    diagnostics,
    meant(opened.diagnostics, request),
    meant(texts.diagnostics, request),
    opened.noted,
    bases.diagnostics,
    selectors,
    granted,
    declaredTwice(loaded.desired, others, kinds, request.isOnlyCompared ? 'warning' : 'error'),
    basesWithoutFolder(others),
    isHeld ? elsewhereFindings(others, isReadable) : [],
  ].flat();
  // The inputs of a faulty file are unknown.
  const unused = hasErrors(findings)
    ? []
    : unusedVariables(request.given ?? [], used.union(usedElsewhere), request.strict);
  return {
    project,
    folder: request.shownAs(folderOf(request.path)),
    ...(ways.length > 0 && { layers: ways }),
    ...opened.objects,
    desired,
    ...(endings.length > 0 && { endings }),
    accessTests: guards.accessTests,
    guards,
    ...(applied && { applied }),
    ...(elsewhere && { elsewhere }),
    emptyLists: loaded.emptyLists,
    ...(loaded.rendered && { rendered: loaded.rendered }),
    ...(before && {
      before: {
        ...before,
        variables: Object.fromEntries(variables),
        guards: recordedGuards(guards),
        ...(strictest && { strictest }),
      },
    }),
    isBaseApplied: bases.isApplied,
    ...(stored && { stored }),
    unstored: stored
      ? stored.base.unstored
      : await unstoredOf(objects.desired, kinds, request, project),
    ...(others.length > 0 && { others: others.map(other => folderAt(other, kinds, now)) }),
    diagnostics: [...findings, ...unused],
  };
}

// Without a base, only a report reads the recorded one: what a run sends depends on a base that is verified.
async function unstoredOf(
  desired: readonly Desired[],
  kinds: KindTable,
  { path, host, isOnlyCompared }: LoadRequest,
  { account, name }: Project,
): Promise<readonly UnstoredValue[] | undefined> {
  if (!isOnlyCompared || !desired.some(({ kind }) => kinds.get(kind)?.storesPartly))
    return undefined;
  return recordedUnstored({ path, host, account, name });
}

/** The files with these texts in place of their own. Files that are new among them belong to the last layer. */
export function withTexts(
  { files, diagnostics }: FileTexts,
  instead: readonly FileText[] = [],
): FileTexts {
  const byName = new Map(instead.map(one => [one.file, one.text]));
  const there = new Set(files.map(({ file }) => file));
  const layer = files.at(-1)?.layer;
  const added = instead.filter(({ file }) => !there.has(file));
  return {
    files: [
      files.map(one => ({ ...one, text: byName.get(one.file) ?? one.text })),
      added.map(one => ({ ...one, ...(layer && { layer }) })),
    ].flat(),
    diagnostics,
  };
}

const readerFor = ({ readSecret }: LoadRequest, ways: readonly string[]): ReadText | undefined =>
  readSecret && (text => readSecret(text, ways));

// What an unreadable folder declares stops only those who delete something.
const asRead = ({ unreadable, ...other }: OtherFolder): OtherFolder =>
  unreadable === undefined ? other : { ...other, isUnread: true };

async function selectorFindings({ accessTests, guarded }: Guards): Promise<readonly Diagnostic[]> {
  if (accessTests.length + guarded.length === 0) return [];
  const { writtenFindings } = await import('../access/gates/form.ts');
  return writtenFindings(accessTests, guarded);
}

/** Whether a file is a file of grants: by its display name or, through a link, by the link's target. */
function grantFiles(
  { path, shownAs }: Pick<LoadRequest, 'path' | 'shownAs'>,
  { files }: FileTexts,
): (file: string) => boolean {
  const folder = shownAs(folderOf(path));
  // Neither where a command is started nor where somebody has cloned the repository makes a folder one of grants.
  const home = repositoryOf(path)?.prefix ?? `${basename(resolve(folderOf(path)))}/${folder}/`;
  if (isInGrants(`${home}x`)) return () => true;
  const inside = (file: string) =>
    file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file;
  const linked = new Map(files.map(({ file, leadsTo = file }) => [file, leadsTo]));
  return file => isInGrants(inside(file)) || isInGrants(inside(linked.get(file) ?? file));
}

const asGrants = (
  desired: readonly Desired[],
  isGrantFile: (file: string) => boolean,
): readonly Desired[] =>
  desired.map(object => (isGrantFile(object.at.file) ? { ...object, isGrant: true } : object));

// Whoever grants nothing for a time loads no access.
async function grantsIn(
  desired: readonly Desired[],
  { declared, applied }: { readonly declared: Guards; readonly applied: Guards | undefined },
  {
    kinds,
    isGrantFile,
    now,
    allow = [],
  }: Pick<LoadRequest, 'allow'> & {
    readonly kinds: KindTable;
    readonly isGrantFile: (file: string) => boolean;
    readonly now: number;
  },
): Promise<readonly Diagnostic[]> {
  const isGrant = ({ at: { file } }: Desired) => isGrantFile(file);
  const objects = desired.filter(isGrant);
  const { grants: limits } = declared;
  if (objects.length === 0 && limits.length === 0) return [];
  const { grantFindings } = await import('../access/gates/grantLimits.ts');
  const others = desired.filter(object => !isGrant(object));
  const former = applied ? formerGrantLimits({ declared, applied }, allow) : [];
  return grantFindings({ objects, others, kinds, limits, former, now });
}

// Whoever has no other folders loads no access.
async function readableGuards(others: readonly OtherFolder[]): Promise<IsReadable> {
  const isSome = others.some(({ guards = [] }) =>
    guards.some(({ guarded, accessTests }) => guarded.length + accessTests.length > 0),
  );
  if (!isSome) return () => true;
  const { writtenFindings } = await import('../access/gates/form.ts');
  return ({ guarded = [], accessTests = [] }) => writtenFindings(accessTests, guarded).length === 0;
}

const ofBase = (found: readonly Diagnostic[]): readonly Diagnostic[] =>
  found.map(one => ({ ...one, code: 'BASE_INVALID', message: `the base: ${one.message}` }));

// Whoever deletes everything has files that declare nothing.
const meant = (found: readonly Diagnostic[], { mayBeEmpty }: LoadRequest): readonly Diagnostic[] =>
  mayBeEmpty ? found.filter(({ code }) => code !== 'SOURCE_EMPTY') : found;

// No message of a server may repeat the host of an address that is secret as a whole.
function tellHosts(objects: readonly Desired[], { onSecret }: LoadRequest): void {
  for (const address of secretHostsOf(objects))
    for (const part of hostPartsOf(address)) onSecret?.(part);
}

async function othersOf(
  { kinds, reader }: Schemas,
  request: LoadRequest,
  {
    project,
    paths,
    isOwn,
    onVariable,
  }: Pick<OthersRequest, 'isOwn'> &
    Partial<Pick<Inputs, 'onVariable'>> & {
      readonly project: Project;
      readonly paths: readonly string[];
    },
): Promise<readonly OtherFolder[]> {
  const account = project.account ?? (await accountBehind(request, project));
  if (account === undefined) return [];
  return otherFolders({
    ...request,
    layers: paths,
    account,
    name: project.name,
    kinds,
    reader,
    isOwn,
    inputs: path => ({ ...inputsFor({ ...request, path }), ...(onVariable && { onVariable }) }),
  });
}

/** What other folders declare for an account that the files of a request do not name, or that are not written yet. */
export const othersInAccount = (
  schemas: Schemas,
  request: LoadRequest,
  {
    project,
    account,
    files,
  }: {
    readonly project: Project;
    readonly account: string;
    /** The display names of the files that there are. */
    readonly files: readonly string[];
  },
): Promise<readonly OtherFolder[]> =>
  othersOf(schemas, request, {
    project: { ...project, account },
    paths: [request.path],
    isOwn: path => files.some(file => file.startsWith(`${request.shownAs(path)}/`)),
  });

// Files that do not name their account are held to the guards of its other folders all the same.
async function accountBehind(
  { accountBehind: ask, path, host }: LoadRequest,
  project: Project,
): Promise<string | undefined> {
  return ask && (await mayHaveOthers({ path, host })) ? ask(project) : undefined;
}

const NOTHING = { file: () => undefined, unusable: () => undefined };
const NO_SECRETS = { ...NOTHING, env: () => undefined, inLayer: () => NOTHING };

const filesIn = (folder: string) => ({
  file: fileInputs(folder),
  unusable: unusableFiles(folder),
});

/** The external inputs of files. */
export function inputsFor({ path, env, vars, onSecret, areSecretsClosed }: LoadRequest): Inputs {
  const folder = folderOf(path);
  if (areSecretsClosed) return { ...NO_SECRETS, vars: vars ?? new Map() };
  return {
    env,
    ...filesIn(folder),
    inLayer: way => filesIn(join(realOf(folder), way)),
    vars: vars ?? new Map(),
    ...(onSecret && { onSecret }),
  };
}

/** Reads the part of the account that the desired state needs, and computes the plan. Its transport can only read. */
export async function planDesired(
  { kinds }: Schemas,
  given: Pick<
    DesiredState,
    | 'desired'
    | 'base'
    | 'recorded'
    | 'before'
    | 'stored'
    | 'unstored'
    | 'others'
    | 'folder'
    | 'layers'
    | 'emptyLists'
    | 'left'
    | 'endings'
  > & { readonly isBaseApplied?: boolean },
  transport: ReadTransport,
  settings: Omit<PlanSettings, 'dialect'> & {
    /** By default `auto`: the dialect is detected from the server's responses. */
    dialect?: DialectChoice;
    /** The gates for the plan's access; without them access is not computed, and less of the account is read. */
    access?: Omit<AccessSettings, 'desired'>;
    /** Whether the plan only ends what has ended. */
    onlyEnds?: boolean;
    /** How long before its end something is listed, in milliseconds. */
    expiring?: number | undefined;
    /** Whether the same run applies the plan: then a chosen dialect is verified. */
    isWritten?: boolean;
    concurrency: number;
    onProgress?: (done: number, total: number) => void;
    /** Receives the secrets of live objects, so that no message repeats them. */
    onHidden?: (value: string) => void;
    /** Receives the account that the plan was compared with. */
    onCompared?: (account: ComparedAccount) => void;
  },
): Promise<Plan> {
  const { folder } = given;
  const [
    { readScope, withRecordedParents },
    { beforeEnds },
    { withDependencies },
    { selectedByCurrentNames, selectionToRead },
    { fetchAndWiden },
    { planned },
    { declarationsOf, knownNames, plannedWith },
  ] = await Promise.all([
    import('../engine/scope/scope.ts'),
    import('../engine/scope/beforeEnds.ts'),
    import('../engine/scope/dependencies.ts'),
    import('../engine/scope/currentNames.ts'),
    import('../api/account/fetch.ts'),
    import('../engine/plan/plan.ts'),
    import('./planNames.ts'),
  ]);
  const declarations = declarationsOf(
    { ...given, ids: given.stored?.base.ids ?? [] },
    kinds,
    settings.mark,
  );
  const { desired, former } = declarations;
  const limits = settings.select ?? {};
  const declaredOnce = { declared: [...desired, ...former], ids: declarations.ids };
  const toRead = withDependencies(selectionToRead(limits, declaredOnce, kinds), desired, kinds);
  const named = [...former, ...beforeEnds(desired)];
  const spoken = readScope(kinds, desired, named, settings.prune, toRead);
  const scope = withRecordedParents(spoken, declarations.ids, kinds);
  const account = await fetchAndWiden(
    transport,
    kinds,
    withLeftKinds({ ...scope, kinds: scope.kinds.union(new Set(settings.watch)) }, given, kinds),
    {
      ...settings,
      dialect: settings.dialect ?? 'auto',
      isDialectDeclared: [...desired, ...former].some(one => objectDiffersByDialect(kinds, one)),
    },
  );
  tellHidden(kinds, account.snapshot.objects, settings.onHidden);
  const { dialect, findings } = account.snapshot;
  if (hasErrors(findings)) {
    const { planWithout } = await import('../engine/plan/planWithout.ts');
    return planWithout(account.snapshot, { desired, folder });
  }
  const recordedNow = given.stored ? objectsOf(given.stored, kinds) : [];
  const names = await knownNames(
    declarations,
    account.snapshot,
    { ...settings, kinds, dialect, recordedNow },
    transport,
  );
  const { meant } = names.input;
  const { unstored = [] } = given;
  const { withoutUnstored, unstoredNotes } = await import('../base/unstored.ts');
  const stored = withoutUnstored(
    names.input.desired,
    unstored,
    names.input.snapshot.objects,
    kinds,
  );
  const unlimited = {
    ...names.input,
    desired: stored.desired,
    kinds,
    settings: { ...settings, ...names.guards, dialect },
    folder,
  };
  const select = withDependencies(selectedByCurrentNames(limits, unlimited), desired, kinds);
  const ofRuns = await writtenByRuns(given, unlimited);
  const asked = { ...unlimited, ...ofRuns, settings: { ...unlimited.settings, select } };
  const ending = await endingsIn(asked, given.endings, { ...settings, skew: transport.skew?.() });
  const input = settings.onlyEnds ? (ending?.input ?? declaringNothing(asked)) : asked;
  const begun = await plannedWith(input, names.ids, planned, transport);
  const { idOf, rearrange, arrived } = begun;
  settings.onCompared?.({ objects: input.snapshot.objects, idOf });
  const { held } = stored;
  const { written } = names;
  const recording = { ...names, before: given.before, unstored, held };
  const content = await toBeRecorded(begun, input, recording);
  const ofFiles = settings.onlyEnds ? planned(asked).plan : undefined;
  const recorded = ofFiles ? await asDeclaredBy(ofFiles, content) : content;
  const empty = settings.prune === 'unmanaged' ? emptyListFindings(kinds, given) : [];
  const noted = [...notesAbout(input, written), ...unstoredNotes(held, written)];
  const refused = ofFiles ? refusedEnds(ofFiles, asked.desired) : [];
  const left = (ofFiles?.diagnostics ?? []).filter(({ code }) => code === 'LEFT_BY_RUN');
  const diagnostics = [
    ...findings,
    ...empty,
    ...noted,
    ...refused,
    ...left,
    ...notVerified(given.left?.unverified ?? []),
    ...recorded.diagnostics,
  ];
  const { countedRuns } = names;
  const { layers } = given;
  const byFlag = settings.access?.allowances.byFlag ?? settings.allow;
  // With a base, what a change accepts itself does not count.
  const byProject = settings.guards ? [] : (settings.access?.allowances.byProject ?? []);
  const accepting = acceptedByFiles(recorded, kinds, { byFlag, byProject });
  const endsBefore = await formerEndsIn(input, recorded, idOf);
  const plan = {
    ...recorded,
    ...(layers && { layers }),
    diagnostics: [...diagnostics, ...(ending?.diagnostics ?? []), ...accepting],
    ...(ending && { endings: ending.endings }),
    ...(endsBefore.length > 0 && { formerEnds: endsBefore }),
    ...(countedRuns.length > 0 && { countedRuns }),
  };
  if (!settings.access) return withSpokenMessages(withLoosenedGuards(plan, byFlag));
  const { withAccess } = await import('./planAccess.ts');
  const { temporaryIn } = await import('./planMissing.ts');
  const access = {
    ...settings.access,
    desired,
    temporaryIn: (objects: readonly Live[]) => temporaryIn(objects, kinds, transport),
    ...(ending?.alone && { endings: ending.alone }),
    isBaseUnapplied: given.isBaseApplied !== true,
    areSecretsCompared: settings.isOtherSecret !== undefined,
  };
  const computed = { plan, rearrange, ...(arrived && { arrived }) };
  const known = { idOf, ids: names.idsEverywhere, meant };
  const whole = await withAccess({ ...computed, ...known }, kinds, account, access);
  return withSpokenMessages(withLoosenedGuards(whole, byFlag));
}

// Nobody believes these journals, and nobody else tells what their applies did.
function notVerified(files: readonly string[]): readonly Diagnostic[] {
  const [newest, ...more] = files;
  if (newest === undefined) return [];
  const named = `${quoted(newest)}${more.length > 0 ? ` and ${more.length} more` : ''}`;
  return [
    {
      code: 'RUNS_NOT_VERIFIED',
      severity: 'warning',
      message: `journals of this machine of applies that were not finished are damaged, or no key of this run signed them, ${named}: what those created, changed or deleted and no file declares may still be in the account, and is not named here`,
      hint: 'run this with their key in MESHFORM_SIGNING_KEY, or with their token; if nobody has it, or they are damaged, look at `meshform runs` and at the account, then remove these files',
    },
  ];
}

// What unfinished applies wrote is looked for, also if no file declares anything of its kind.
function withLeftKinds(
  scope: ReadScope,
  { left }: Pick<DesiredState, 'left'>,
  kinds: KindTable,
): ReadScope {
  if (!left) return scope;
  const made = [...left.made, ...left.leftInGone].flatMap(one => (one.isLeft ? one.kind : []));
  const written = left.written.flatMap(({ plan }) =>
    plan.actions.flatMap(action => (action.verb === 'create' ? [] : writtenKinds(action, kinds))),
  );
  const known = new Set([...made, ...written].filter(kind => kinds.has(kind)));
  // Without the lists of all parents, an object of another one would look deleted.
  const nested = [...known].filter(kind => kinds.get(kind)?.parent !== undefined);
  const above = nested.flatMap(kind => kinds.get(kind)?.parent ?? []);
  const naming = [...known].flatMap(name => {
    const kind = kinds.get(name);
    const paths = kind?.identity.flat() ?? [];
    const fields = paths.map(path => path.split('.')[0]);
    return kind ? refsIn(kind, fields) : [];
  });
  return {
    kinds: new Set([...scope.kinds, ...known, ...above, ...naming]),
    parents: new Map([...scope.parents, ...nested.map(kind => [kind, 'all'] as const)]),
  };
}

// A plan names the members that it takes out of a set, unless it writes the set exactly: then only the account has their names.
function writtenKinds(action: Action, kinds: KindTable): readonly KindName[] {
  const kind = kinds.get(action.kind);
  if (!kind || action.verb !== 'update') return [action.kind];
  const exact = Object.keys(action.fields).filter(name => kind.shape.fields.get(name)?.shared);
  return [action.kind, ...refsIn(kind, exact)];
}

const refsIn = ({ shape }: Kind, fields: readonly (string | undefined)[]): readonly KindName[] =>
  fields.flatMap(name => {
    const field = shape.fields.get(name ?? '');
    return field ? [...refsOfShape(field.shape)] : [];
  });

// Few runs are left unfinished.
async function writtenByRuns(
  { left }: Pick<DesiredState, 'left'>,
  { kinds, snapshot, others = [], settings }: PlanInput,
): Promise<Pick<PlanInput, 'leftChanges' | 'declaredByRuns'>> {
  // A machine has the journals of all accounts of a server.
  const written = (left?.written ?? []).filter(
    ({ plan: { account = snapshot.account } }) =>
      snapshot.account === undefined || account === snapshot.account,
  );
  if (written.length === 0) return {};
  const [{ leftChanges }, { declaredByRuns }, { othersInParts }, { inParts }] = await Promise.all([
    import('../export/undo/leftChanges.ts'),
    import('../base/declaredByRuns.ts'),
    import('../engine/scope/partsElsewhere.ts'),
    import('../engine/scope/parts.ts'),
  ]);
  const { dialect, now } = settings;
  const kept = othersInParts(others, kinds, dialect);
  const account = { kinds, dialect, objects: snapshot.objects, others: kept, now };
  return {
    leftChanges: leftChanges(written, account),
    declaredByRuns: declaredByRuns(written, kinds, all => inParts(all, kinds, dialect)),
  };
}

async function asDeclaredBy(files: Plan, ends: Plan): Promise<Plan> {
  const { asFilesDeclare } = await import('../engine/endings/asFilesDeclare.ts');
  return asFilesDeclare(ends, files);
}

// What an apply of all files refuses of an object that ends is no end: it is protected as last applied, or belongs to another folder.
// A grant that somebody edited ends all the same.
function refusedEnds({ diagnostics }: Plan, desired: readonly Desired[]): readonly Diagnostic[] {
  const ended = new Set(desired.flatMap(one => (one.ended ? placeOf(one.at) : [])));
  return diagnostics.filter(
    ({ code, severity, at }) =>
      severity === 'error' &&
      code !== 'GRANT_REFUSED' &&
      at !== undefined &&
      ended.has(placeOf(at)),
  );
}

const placeOf = ({ file, line, column }: Span): string => `${file}:${line}:${column}`;

// Most bases have no ends.
async function formerEndsIn(
  input: PlanInput,
  plan: Plan,
  idOf: IdOf,
): Promise<readonly FormerEnd[]> {
  const bases = [...input.base, ...(input.recorded?.objects ?? [])];
  if (!bases.some(({ lifecycle, ends }) => lifecycle.until !== undefined || ends)) return [];
  const { formerEnds } = await import('../engine/endings/formerEnds.ts');
  return formerEnds(input, plan, idOf);
}

// Whoever has files in which nothing ends reads no clock.
async function endingsIn(
  input: PlanInput,
  endings: readonly Ending[] | undefined,
  {
    now,
    skew,
    access,
    expiring,
    onlyEnds = false,
  }: Pick<PlanSettings, 'now'> & {
    readonly onlyEnds?: boolean;
    readonly skew: number | undefined;
    readonly access?: unknown;
    readonly expiring?: number | undefined;
  },
): Promise<FoundEndings | undefined> {
  if (endings === undefined || now === undefined) return undefined;
  const { findEndings } = await import('../engine/plan/planEndings.ts');
  const isOnlyReported = access === undefined;
  return findEndings(input, {
    endings,
    now,
    skew,
    isOnlyReported,
    expiring,
    isEndsOnly: onlyEnds,
  });
}

// The plan with what it will record as the next base, and with what files adopt.
async function toBeRecorded(
  { plan, waits, idOf, notOurs, heldEnds }: Planned,
  input: PlanInput,
  {
    before,
    written,
    ids,
    isUnknown,
    unstored,
    held,
  }: Pick<KnownNames, 'ids' | 'isUnknown'> &
    Pick<Declarations, 'written'> & {
      readonly before: BaseBefore | undefined;
      readonly unstored: readonly UnstoredValue[];
      readonly held: readonly UnstoredValue[];
    },
): Promise<Plan> {
  const [{ withAdopted }, { withContent }, { recordedWithout, withoutHeld }] = await Promise.all([
    import('../export/adoption/adopted.ts'),
    import('../engine/plan/baseContent.ts'),
    import('../engine/waiting/waits.ts'),
  ]);
  const { kinds, others = [] } = input;
  const ours = written.filter(({ kind, key }) => !notOurs.has(addressOf(kind, key)));
  const staying = ours.map(one =>
    heldEnds.has(addressOf(one.kind, one.key)) ? withoutMark(one) : one,
  );
  const declared = recordedWithout(staying, waits, kinds);
  const known = { before, others, isUnknown, unstored, held };
  const content = { desired: declared, bases: bases(input), ...known };
  const settings = withoutHeld(input.settings, waits);
  return withContent(withAdopted(plan, input), content, { kinds, settings, idOf, ids });
}

// An object that has ended is marked for deletion, and one so marked counts as deleted.
function withoutMark(object: Desired): Desired {
  const { delete: _, ...lifecycle } = object.lifecycle;
  return { ...object, lifecycle };
}

// Addresses that the run does not know.
function notesAbout(input: PlanInput, written: readonly Desired[]): readonly Diagnostic[] {
  const { kinds, unrecognised: unknown = [], others = [], snapshot } = input;
  const declared = [...written, ...bases(input), ...unknown, ...declaredIn(others)];
  return [...unrecognised(unknown, kinds), ...unknownHostNotes(snapshot.objects, kinds, declared)];
}

// Messages are for people: objects that are identified by id have their names after the id. Hints may be copied.
function withSpokenMessages(plan: Plan): Plan {
  const { called, diagnostics, actions } = plan;
  if (called === undefined) return plan;
  const speak = speaker(called);
  const spoken = <T extends { readonly message: string }>(one: T): T => ({
    ...one,
    message: speak(one.message),
  });
  return {
    ...plan,
    diagnostics: diagnostics.map(spoken),
    actions: actions.map(action => ({ ...action, hazards: action.hazards.map(spoken) })),
  };
}

function withLoosenedGuards(plan: Plan, byFlag: readonly Allowance[]): Plan {
  const loosened = inOrder(plan.loosened ?? []);
  const found = loosenedFindings(loosened, byFlag);
  if (found.length === 0) return plan;
  return { ...plan, loosened, diagnostics: [...plan.diagnostics, ...found] };
}
