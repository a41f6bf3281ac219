// The only file that knows the whole sequence: load → validate → fetch → plan. A command loads only the rooms that it needs.

import type { FetchedAccount } from './api/account/fetch.ts';
import type { ReadTransport } from './api/transport/transport.ts';
import type { BaseBefore } from './base/content.ts';
import { basesWithoutFolder, declaredTwice } from './base/declaredTwice.ts';
import { elsewhereFindings, guardsElsewhere, type IsReadable } from './base/guards/elsewhere.ts';
import { joinedGuards } from './base/guards/joined.ts';
import { inOrder, loosenedFindings } from './base/guards/loosenedFinding.ts';
import { recordedGuards } from './base/guards/recorded.ts';
import { recognised, unrecognised } from './base/recognise.ts';
import { withSharedMembers } from './base/sharedMembers.ts';
import { inFormerNames, leftNames, withLeft } from './base/withLeft.ts';
import type { takenByOthers } from './engine/missing/meant.ts';
import type { Planned } from './engine/plan/plan.ts';
import { bases, type PlanInput } from './engine/scope/run.ts';
import type { PlanSettings } from './engine/types/settings.ts';
import type { ExportModel } from './export/model.ts';
import type { Trial } from './export/prove.ts';
import type { Selection as ExportSelection, UnknownNames } from './export/select.ts';
import { fieldsDifferByDialect } from './kinds/dialect/dialects.ts';
import type { KindTable } from './kinds/kind.ts';
import { readKinds } from './kinds/registry.ts';
import type { DialectChoice } from './kinds/traits.ts';
import { hasHidden, hiddenIn, hostPartsOf } from './kinds/values/hidden.ts';
import { unknownHostNotes, withSecretHosts } from './kinds/values/secretHosts.ts';
import type { AccessTest } from './model/access/accessTest.ts';
import type { Adoption } from './model/adoption.ts';
import type { Allowance } from './model/allowance.ts';
import { speaker } from './model/called.ts';
import type { ComparedAccount } from './model/compared.ts';
import { type Diagnostic, hasErrors } from './model/diagnostic.ts';
import { present } from './model/errors.ts';
import type { Guards, GuardsElsewhere } from './model/guards.ts';
import { idKey } from './model/key.ts';
import type { LeftObjects } from './model/leftObjects.ts';
import type { NameTaken } from './model/missing.ts';
import type { KindName, RemoteId } from './model/names.ts';
import type { Desired, Snapshot } from './model/object.ts';
import type { OtherFolder } from './model/otherFolder.ts';
import type { Plan, Recorded } from './model/plan.ts';
import type { RecordedId } from './model/recordedBase.ts';
import { calledByDigest, secretHostsOf } from './model/secrets/secretHost.ts';
import { namesOf } from './model/spoken.ts';
import type { AccessSettings } from './planAccess.ts';
import type { Became } from './planMissing.ts';
import type { ProgramHost } from './read/environment.ts';
import { fileInputs, unusableFiles } from './read/files/inputs.ts';
import { folderOf } from './read/files/upwards.ts';
import { readCheckout } from './read/git/checkout.ts';
import { loadBases } from './read/git/loadBases.ts';
import { type OthersRequest, otherFolders } from './read/git/otherFolders.ts';
import { objectsOf, type StoredBase } from './read/git/storedBases.ts';
import { loadProject } from './read/loadProject.ts';
import { readerOf, type SourceReader } from './source/load.ts';
import { emptyListFindings } from './source/objects/emptyLists.ts';
import type { EmptyList } from './source/objects/locate.ts';
import { guardsOf } from './source/project/guardsOf.ts';
import { PROJECT_FILE, type Project } from './source/project/project.ts';
import type { Inputs } from './source/values/inputs.ts';
import { readEveryHidden } from './source/values/readEveryHidden.ts';
import type { ReadText } from './source/values/readHidden.ts';
import { unusedVariables } from './source/values/variables.ts';

/** The kinds, and a loader that validates files against them. */
export interface Schemas {
  readonly kinds: KindTable;
  readonly reader: SourceReader;
}

/** The schemas of these kinds; without `kinds`, of the kinds that meshform ships. */
export const loadSchemas = (kinds: KindTable = readKinds()): Schemas => ({
  kinds,
  reader: readerOf(kinds),
});

/** Where desired state is, and its external inputs. */
export interface LoadRequest {
  /** A folder or one file. */
  readonly path: string;
  /** A folder or a git revision of the same folder. */
  readonly base?: string;
  /** Whether the run is recorded as the base of the next run. */
  readonly recordBase?: boolean;
  /** Whether the plan can be saved: a saved plan holds what it records. */
  readonly isSaved?: boolean;
  /** Whether a person said that this is the first run of the folder. */
  readonly isFirst?: boolean;
  /** Whether a person said that the files declare nothing, so that everything that the base declared is deleted. */
  readonly mayBeEmpty?: boolean;
  readonly strict: boolean;
  /** Whether the files are only compared with the account: then nothing that is wrong in other folders stops the run. */
  readonly isOnlyCompared?: boolean;
  /** Whether a plan will answer which objects the account has that no file declares: then references to them are no errors yet. */
  readonly isPlanned?: boolean;
  readonly env: (name: string) => string | undefined;
  /** What git may know of the environment, for a base that is in git. */
  readonly host: ProgramHost;
  /** Called once the files are read, and before any base is. */
  readonly beforeBases?: () => Promise<unknown>;
  /** The values of `${var:NAME}`, the only external input of ordinary fields; see `variablesFrom`. */
  readonly vars?: ReadonlyMap<string, string>;
  /** The variables that were set for this run: a warning lists those that no file uses. */
  readonly given?: readonly string[];
  /** Receives every secret that is looked up. */
  readonly onSecret?: (value: string) => void;
  /** Reads the secrets that identify objects. Without it they are not read, and objects that need them cannot be planned. */
  readonly readSecret?: ReadText;
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
  /** Where the files are, as messages show it. */
  readonly folder: string;
  readonly desired: readonly Desired[];
  readonly accessTests: readonly AccessTest[];
  readonly base: readonly Desired[];
  /** Lists without objects, which pruning does not read as "none". */
  readonly emptyLists?: readonly EmptyList[];
  /** Objects that the next base must also keep; see `PlanInput`. */
  readonly recorded?: Recorded | undefined;
  /** What the next base starts from, if the run or its saved plan can be recorded. */
  readonly before?: BaseBefore;
  /** The recorded base that the run is compared with. */
  readonly stored?: StoredBase;
  /** What applies that nobody finished have created: it counts as declared by the base. */
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
  const { project, places, diagnostics } = loadProject(request.path, {
    shownAs: request.shownAs,
    kinds,
    projectFiles: request.host.projectFiles,
  });
  const selection = { projectFile: PROJECT_FILE, exclude: project.exclude ?? [] };
  const texts = await readCheckout({ ...request, selection });
  request.onLength?.(texts.files.reduce((sum, { text }) => sum + text.length, 0));
  const used = new Set<string>();
  const inputs = { ...inputsFor(request), onVariable: (name: string) => used.add(name) };
  const strict = request.strict && request.isPlanned !== true;
  const loaded = reader.read(texts.files, inputs, { strict });
  await request.beforeBases?.();
  const bases = await loadBases(
    request.base,
    {
      ...request,
      selection,
      account: project.account,
      name: project.name,
      isRecording: request.recordBase === true,
      isSaved: request.isSaved === true,
      isFirst: request.isFirst === true,
    },
    { kinds, reader, inputs: { ...inputs, isEarlier: true } },
  );
  const { before, stored } = bases;
  const isOwn = (path: string) =>
    texts.files.some(({ file }) => file.startsWith(`${request.shownAs(path)}/`));
  const usedElsewhere = new Set<string>();
  const found = await othersOf({ kinds, reader }, request, {
    ...project,
    isOwn,
    onVariable: name => usedElsewhere.add(name),
  });
  const others = request.isOnlyCompared ? found.map(asRead) : found;
  const variables = [...used].sort().map(name => [name, inputs.vars.get(name) ?? ''] as const);
  const opened = await readEveryHidden(loaded, bases, kinds, request.readSecret);
  const { objects } = opened;
  tellHosts([...objects.desired, ...objects.base, ...(objects.recorded?.objects ?? [])], request);
  const guards = guardsOf(project, loaded.accessTests, places);
  const applied = joinedGuards(bases.guards);
  const selectors = [
    await selectorFindings(guards),
    ofBase(applied ? await selectorFindings(applied) : []),
  ].flat();
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
    ...opened.objects,
    accessTests: guards.accessTests,
    guards,
    ...(applied && { applied }),
    ...(elsewhere && { elsewhere }),
    emptyLists: loaded.emptyLists,
    ...(before && {
      before: {
        ...before,
        variables: Object.fromEntries(variables),
        guards: recordedGuards(guards),
      },
    }),
    ...(stored && { stored }),
    ...(others.length > 0 && { others }),
    diagnostics: [...findings, ...unused],
  };
}

// What an unreadable folder declares stops only those who delete something.
const asRead = ({ unreadable, ...other }: OtherFolder): OtherFolder =>
  unreadable === undefined ? other : { ...other, isUnread: true };

async function selectorFindings({ accessTests, guarded }: Guards): Promise<readonly Diagnostic[]> {
  if (accessTests.length + guarded.length === 0) return [];
  const { writtenFindings } = await import('./access/gates/form.ts');
  return writtenFindings(accessTests, guarded);
}

// Whoever has no other folders loads no access.
async function readableGuards(others: readonly OtherFolder[]): Promise<IsReadable> {
  const isSome = others.some(({ guards = [] }) =>
    guards.some(({ guarded, accessTests }) => guarded.length + accessTests.length > 0),
  );
  if (!isSome) return () => true;
  const { writtenFindings } = await import('./access/gates/form.ts');
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
    account,
    isOwn,
    onVariable,
  }: Project & Pick<OthersRequest, 'isOwn'> & Pick<Inputs, 'onVariable'>,
): Promise<readonly OtherFolder[]> {
  if (account === undefined) return [];
  return otherFolders({
    ...request,
    account,
    kinds,
    reader,
    isOwn,
    inputs: path => ({ ...inputsFor({ ...request, path }), ...(onVariable && { onVariable }) }),
  });
}

/** The external inputs of files. */
export function inputsFor({ path, env, vars, onSecret }: LoadRequest): Inputs {
  const folder = folderOf(path);
  return {
    env,
    file: fileInputs(folder),
    unusable: unusableFiles(folder),
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
    | 'others'
    | 'folder'
    | 'emptyLists'
    | 'left'
  >,
  transport: ReadTransport,
  settings: Omit<PlanSettings, 'dialect'> & {
    /** By default `auto`: the dialect is detected from the server's responses. */
    dialect?: DialectChoice;
    /** The gates for the plan's access; without them access is not computed, and less of the account is read. */
    access?: Omit<AccessSettings, 'desired'>;
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
  const own = { ids: given.stored?.base.ids ?? [] };
  const left = given.left && inFormerNames(given.left, own, kinds);
  const state = left ? { ...given, base: withLeft(given.base, left, kinds) } : given;
  const { others: unopened = [], folder } = state;
  const written = calledByDigest(state.desired, settings.mark);
  const [
    { readScope },
    { withDependencies },
    { selectedByCurrentNames, selectionToRead },
    { fetchAndWiden },
    { meantByBases },
    { planned },
    { withAdopted },
    { withContent },
    { recordedWithout, withoutHeld },
  ] = await Promise.all([
    import('./engine/scope/scope.ts'),
    import('./engine/scope/dependencies.ts'),
    import('./engine/scope/currentNames.ts'),
    import('./api/account/fetch.ts'),
    import('./engine/missing/meant.ts'),
    import('./engine/plan/plan.ts'),
    import('./export/adoption/adopted.ts'),
    import('./engine/plan/baseContent.ts'),
    import('./engine/waiting/waits.ts'),
  ]);
  const unread = [...state.base, ...(state.recorded?.objects ?? [])];
  const desired = withSharedMembers({
    desired: written,
    base: state.base,
    others: unopened,
    kinds,
  });
  const limits = settings.select ?? {};
  const declaredOnce = { declared: [...desired, ...unread], ids: own.ids };
  const toRead = withDependencies(selectionToRead(limits, declaredOnce, kinds), desired, kinds);
  const scope = readScope(kinds, desired, unread, settings.prune, toRead);
  const account = await fetchAndWiden(
    transport,
    kinds,
    { ...scope, kinds: settings.watch ? scope.kinds.union(settings.watch) : scope.kinds },
    {
      ...settings,
      dialect: settings.dialect ?? 'auto',
      isDialectDeclared: [...desired, ...unread].some(one => differsByDialect(kinds, one)),
    },
  );
  tellHidden(kinds, account.snapshot, settings.onHidden);
  const { dialect, findings } = account.snapshot;
  if (hasErrors(findings)) {
    const { planWithout } = await import('./engine/plan/planWithout.ts');
    return planWithout(account.snapshot, { desired, folder });
  }
  const { withAddresses, isUnknown } = recognised({
    kinds,
    live: account.snapshot.objects,
    desired: written,
    mark: settings.mark,
  });
  const isThere = new Set(account.snapshot.objects.map(({ kind, id }) => `${kind} ${id}`));
  const { ids, replacements } = leftNames(own, left, one => isThere.has(`${one.kind} ${one.id}`));
  const base = withAddresses(calledByDigest([...state.base, ...replacements], settings.mark));
  const recorded = state.recorded && {
    ...state.recorded,
    objects: withAddresses(state.recorded.objects),
  };
  const others = unopened.map(other => ({ ...other, base: withAddresses(other.base) }));
  const unknown = unread.filter(isUnknown);
  const known = [...written, ...base, ...(recorded?.objects ?? [])];
  const everywhere = [...known, ...unread, ...declaredIn(unopened)];
  const snapshot = {
    ...account.snapshot,
    objects: withSecretHosts(account.snapshot.objects, kinds, everywhere, incompleteIn(unopened)),
  };
  // A guard of another folder means what the base of that folder says, unless the own base knows the name too.
  const knownIds = [...others.flatMap(other => other.ids ?? []), ...ids];
  const protect = alsoByIds(settings.protect ?? [], ids, snapshot.objects);
  const protectedElsewhere = new Map(
    [...(settings.protectedElsewhere ?? [])].flatMap(([entry, by]) =>
      alsoByIds([entry], knownIds, snapshot.objects).map(name => [name, by] as const),
    ),
  );
  const stored = state.stored ? objectsOf(state.stored, kinds) : [];
  const remembered = { ids, recorded: stored, desired, others, dialect };
  const isNew = await newBearers(remembered, snapshot.objects, kinds, transport);
  const meant = meantByBases({ ...remembered, isNew }, snapshot.objects, kinds);
  const unlimited = {
    kinds,
    desired,
    base,
    recorded,
    others,
    unrecognised: unknown,
    snapshot,
    settings: { ...settings, protect, protectedElsewhere, dialect },
    folder,
    meant,
  };
  const select = withDependencies(selectedByCurrentNames(limits, unlimited), desired, kinds);
  const decided = { ...unlimited.settings, select };
  const input = { ...unlimited, settings: decided };
  const { rearrange, idOf, ...begun } = await plannedWith(input, ids, planned, transport);
  settings.onCompared?.({ objects: snapshot.objects, idOf });
  const bases = [...base, ...(recorded?.objects ?? [])];
  const declared = recordedWithout(written, begun.waits, kinds);
  const declarations = { desired: declared, bases, before: state.before, others, isUnknown };
  const adopted = withAdopted(begun.plan, input);
  const recording = withoutHeld(decided, begun.waits, kinds);
  const made = withContent(adopted, declarations, { kinds, settings: recording, idOf, ids });
  const empty = settings.prune === 'unmanaged' ? emptyListFindings(kinds, state) : [];
  const hosts = unknownHostNotes(snapshot.objects, kinds, [
    ...known,
    ...unknown,
    ...declaredIn(others),
  ]);
  const notes = [...findings, ...empty, ...unrecognised(unknown, kinds), ...hosts];
  const countedRuns = left && left.runs.length > 0 ? left.runs : undefined;
  const diagnostics = [...notes, ...made.diagnostics];
  const plan = { ...made, diagnostics, ...(countedRuns && { countedRuns }) };
  const byFlag = settings.access?.allowances.byFlag ?? settings.allow;
  if (!settings.access) return withSpokenMessages(withLoosenedGuards(plan, byFlag));
  const { withAccess } = await import('./planAccess.ts');
  const access = { ...settings.access, desired };
  const names = { idOf, ids: knownIds, meant };
  const { arrived } = begun;
  const computed = { plan, rearrange, ...(arrived && { arrived }) };
  const whole = await withAccess({ ...computed, ...names }, kinds, account, access);
  return withSpokenMessages(withLoosenedGuards(whole, byFlag));
}

// The log is read only if somebody renamed an object and another one has its name now.
async function newBearers(
  names: Parameters<typeof takenByOthers>[0],
  live: Snapshot['objects'],
  kinds: KindTable,
  transport: ReadTransport,
): Promise<((taken: NameTaken) => boolean) | undefined> {
  const { takenByOthers: taken } = await import('./engine/missing/meant.ts');
  if (taken(names, live, kinds).length === 0) return undefined;
  const { createdSince } = await import('./planMissing.ts');
  return createdSince(live, kinds, transport);
}

const declaredIn = (others: readonly OtherFolder[]): readonly Desired[] =>
  others.flatMap(({ files, base }) => [...files, ...base]);

const incompleteIn = (others: readonly OtherFolder[]): { readonly isIncomplete: boolean } => ({
  isIncomplete: others.some(({ unreadable, isUnread }) => unreadable !== undefined || isUnread),
});

// An object that somebody renamed in the account stays protected under the name that the base has.
function alsoByIds(
  protect: readonly string[],
  ids: readonly RecordedId[],
  live: Snapshot['objects'],
): readonly string[] {
  if (protect.length === 0) return protect;
  const keys = new Map(live.map(({ kind, id, key }) => [`${kind} ${id}`, key]));
  const listed = new Set(protect);
  const renamed = ids.flatMap(({ kind, key, id }) => {
    const now = keys.get(`${kind} ${id}`);
    const isListed = namesOf({ kind, key }).some(name => listed.has(name));
    return now === undefined || now === key || !isListed ? [] : `${kind}/${idKey(id)}`;
  });
  return [...protect, ...renamed];
}

// Messages are for people: objects that go by their ids have their names behind them. Hints may be copied.
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

// Names that do not lead to one object are looked up in the base and in the audit log; what was deleted, and what nobody knows, is left
// out of the plan.
async function plannedWith(
  written: PlanInput,
  ids: readonly RecordedId[],
  planned: (input: PlanInput) => Planned,
  transport: ReadTransport,
): Promise<Planned> {
  const { input: known, found } = await prunedWith(written, planned, transport);
  return namedWith({ input: known, ids, planned, found }, transport);
}

// What machines may have made is pruned only if the audit log shows that a person did.
async function prunedWith(
  input: PlanInput,
  planned: (input: PlanInput) => Planned,
  transport: ReadTransport,
): Promise<{ readonly input: PlanInput; readonly found: Planned }> {
  const found = planned(input);
  const { kinds, settings } = input;
  if (settings.prune !== 'unmanaged') return { input, found };
  const { makersIn } = await import('./planMissing.ts');
  const makers = await makersIn(found.plan.leftAlone, kinds, transport);
  const people = [...makers].flatMap(([id, maker]) => (maker === 'person' ? id : []));
  if (people.length === 0) return { input, found };
  const known = { ...input, settings: { ...settings, madeByPeople: new Set(people) } };
  return { input: known, found: planned(known) };
}

async function namedWith(
  {
    input,
    ids,
    planned,
    found,
  }: {
    readonly input: PlanInput;
    readonly ids: readonly RecordedId[];
    readonly planned: (input: PlanInput) => Planned;
    readonly found: Planned;
  },
  transport: ReadTransport,
): Promise<Planned> {
  const { diagnostics, changes } = found.plan;
  const creates = changes.filter(({ type }) => type === 'create');
  const lost = creates.filter(({ since }) => since === 'drift');
  // A base knows what the account had.
  const created = bases(input).length === 0 ? creates : [];
  const isOpen = diagnostics.some(({ code }) => NOT_ONE_OBJECT.has(code));
  if (lost.length + created.length === 0 && !isOpen) return found;
  const { explainedNames } = await import('./planMissing.ts');
  const account = { objects: input.snapshot.objects, idOf: found.idOf };
  const names = { input, ids, lost, created, account };
  const { findings, ...known } = await explainedNames(names, transport);
  const explained = planned({ ...input, ...known });
  const { plan } = explained;
  const made = new Set(
    plan.changes.flatMap(({ type, at }) => (type === 'create' ? (at ?? []) : [])),
  );
  const told = findings.filter(({ at }) => at !== undefined && made.has(at));
  return { ...explained, plan: { ...plan, diagnostics: [...plan.diagnostics, ...told] } };
}

const NOT_ONE_OBJECT: ReadonlySet<string> = new Set([
  'REF_UNKNOWN',
  'REF_AMBIGUOUS',
  'PAIR_AMBIGUOUS',
  'PAIR_NOT_CREATABLE',
]);

const differsByDialect = (kinds: KindTable, { kind, fields }: Desired): boolean =>
  fieldsDifferByDialect(present(kinds.get(kind), `the kind ${kind}`), fields);

/** Reads the part of the account that the desired state needs, and reports which objects an apply would adopt. */
export async function adoptionFor(
  { kinds }: Schemas,
  {
    desired,
    folder,
    base,
    recorded,
    others = [],
  }: Pick<DesiredState, 'desired' | 'folder' | 'base' | 'recorded' | 'others'>,
  transport: ReadTransport,
  request: Omit<ExportRequest, 'selection'>,
): Promise<Found<{ readonly adoption?: Adoption }>> {
  const { now } = request;
  const [{ readScope }, { fetchAccount }, { adoptionOf }, { allowsAllNotes }, { stateOfLive }] =
    await Promise.all([
      import('./engine/scope/scope.ts'),
      import('./api/account/fetch.ts'),
      import('./export/adoption/adoption.ts'),
      import('./access/state/allowsAll.ts'),
      import('./access/state/ofLive.ts'),
    ]);
  const scope = readScope(kinds, desired, [], 'none');
  const isDialectDeclared = desired.some(one => differsByDialect(kinds, one));
  const account = await fetchAccount(transport, kinds, scope, { ...request, isDialectDeclared });
  tellHidden(kinds, account, request.onHidden);
  const { dialect, findings } = account;
  if (hasErrors(findings)) return { findings };
  const declared = [...desired, ...base, ...(recorded?.objects ?? []), ...declaredIn(others)];
  const objects = withSecretHosts(account.objects, kinds, declared, incompleteIn(others));
  const snapshot = { ...account, objects };
  const notes = allowsAllNotes(stateOfLive(objects, account.unavailable));
  return {
    findings: [...findings, ...notes],
    adoption: adoptionOf({ kinds, desired, folder, snapshot, dialect, now }),
  };
}

/** With the findings about the dialect of the server; if they contain an error, nothing else is returned. */
type Found<T> = T & { readonly findings: readonly Diagnostic[] };

/** What to export, and how the account is read. */
export interface ExportRequest {
  readonly dialect: DialectChoice;
  readonly selection: ExportSelection;
  /** Limits the export to these objects, and the parents of those that nest. */
  readonly has?: (kind: KindName, id: RemoteId) => boolean;
  /** What files declare already: it is no question who made it. */
  readonly isDeclared?: (kind: KindName, key: string) => boolean;
  /** Whether objects that a machine may have made are exported, if the audit log does not show who made them. */
  readonly withUnknown?: boolean;
  /** The current time, in milliseconds. */
  readonly now: number;
  readonly concurrency: number;
  readonly onProgress?: (done: number, total: number) => void;
  /** Receives the secrets of live objects, so that no message repeats them. */
  readonly onHidden?: (value: string) => void;
}

/** The content of an account, as read and as files would declare it. */
export interface AccountExport {
  readonly snapshot: FetchedAccount;
  readonly model: ExportModel;
  /** Requested names that match no object. */
  readonly unknown: UnknownNames;
}

/**
 * Reads the requested part of an account, with children of all parents, and converts it to declarations, as long as planning
 * them yields no change (docs/design.md#barriers-before-the-first-write).
 */
export async function exportAccount(
  { kinds, reader }: Schemas,
  transport: ReadTransport,
  request: ExportRequest,
): Promise<AccountExport> {
  const { selection, now, has } = request;
  const { isDeclared = () => false, withUnknown = false } = request;
  const [{ kindsToRead, selected }, { exportModel }, { proven }, { fetchAccount }, { buildPlan }] =
    await Promise.all([
      import('./export/select.ts'),
      import('./export/build.ts'),
      import('./export/prove.ts'),
      import('./api/account/fetch.ts'),
      import('./engine/plan/plan.ts'),
    ]);
  const wanted = kindsToRead(kinds, selection);
  const parents = new Map([...wanted].map(name => [name, 'all' as const]));
  const snapshot = await fetchAccount(transport, kinds, { kinds: wanted, parents }, request);
  tellHidden(kinds, snapshot, request.onHidden);
  const { dialect } = snapshot;
  const { makersIn } = await import('./planMissing.ts');
  // A state names what it is about, and somebody put it there.
  const asked = has ? [] : snapshot.objects.filter(one => !isDeclared(one.kind, one.key));
  const makers = await makersIn(asked, kinds, transport);
  const whole = exportModel({ kinds, now, makers, withUnknown, ...snapshot, ...(has && { has }) });
  const { model, unknown } = selected(whole, selection);
  const settings: PlanSettings = { dialect, now, prune: 'none', allow: [], thresholds: {} };
  const trial: Trial = {
    kinds,
    read: text => reader.read([{ file: 'export', text }], ALL_SECRETS_THERE),
    plan: desired => buildPlan({ kinds, desired, base: [], snapshot, settings, folder: '' }),
  };
  return { snapshot, unknown, model: proven(model, trial) };
}

export type { Became };

/** What became of objects that files name and that an exported account does not have, by the base of the files and its audit log. */
export async function becameOf(
  { kinds }: Schemas,
  { desired, stored }: Pick<DesiredState, 'desired' | 'stored'>,
  { snapshot }: Pick<AccountExport, 'snapshot'>,
  transport: ReadTransport,
): Promise<Became> {
  const missing = await import('./planMissing.ts');
  const ids = stored?.base.ids ?? [];
  const recorded = stored ? objectsOf(stored, kinds) : [];
  return missing.becameOf({ kinds, desired, ids, recorded }, snapshot, transport);
}

function tellHidden(
  kinds: KindTable,
  { objects }: Snapshot,
  tell: ((value: string) => void) | undefined,
): void {
  for (const { kind: name, fields } of tell ? objects : []) {
    const kind = kinds.get(name);
    if (kind && hasHidden(kind)) for (const text of hiddenIn(kind.shape, fields)) tell?.(text);
  }
}

const ALL_SECRETS_THERE: Inputs = { env: () => 'there', file: () => undefined, vars: new Map() };
