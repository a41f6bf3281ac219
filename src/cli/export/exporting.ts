// Runs `export`: reads the account, reports findings, and writes the files or compares the account
// with them.
import { resolve } from 'node:path';
import { allowsAllNotes } from '../../access/state/allowsAll.ts';
import { stateOfLive } from '../../access/state/stateOfLive.ts';
import {
  type ReadTransport,
  readTransport,
  type TransportOptions,
} from '../../api/transport/transport.ts';
import { markWith } from '../../apply/secrets/mark.ts';
import { withAddressPlaceholders } from '../../base/addressPlaceholders.ts';
import { knownSecrets } from '../../export/declarations.ts';
import { kindsToRead, readSelection, type Selection } from '../../export/exportSelection.ts';
import { leftOutText, oneFile } from '../../export/files.ts';
import { mayShowSecrets, withKnownSecrets } from '../../export/knownSecrets.ts';
import { everyObject } from '../../export/model.ts';
import type { StateFile } from '../../export/opentofu/stateFile.ts';
import { type AccountAndFolders, withoutOtherFolders } from '../../export/withoutOtherFolders.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { LeftObjects } from '../../model/leftObjects.ts';
import type { Key, KindName } from '../../model/names.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import { quoted } from '../../model/text/visible.ts';
import { withCachedLists } from '../../pipeline/exporting/cachedLists.ts';
import {
  type AccountExport,
  type ExportRequest,
  exportAccount,
} from '../../pipeline/exporting/exportAccount.ts';
import { type FateRequest, fatesOf } from '../../pipeline/exporting/fates.ts';
import { nextPlan } from '../../pipeline/exporting/nextPlan.ts';
import { othersInAccount } from '../../pipeline/loading/otherFoldersOfRun.ts';
import { loadSchemas } from '../../pipeline/schemas.ts';
import { writeTargetAt } from '../../read/files/writeTarget.ts';
import { exportLine } from '../../report/exportText.ts';
import type { Project } from '../../source/project/project.ts';
import { unusedVariables } from '../../source/values/variables.ts';
import { EXIT } from '../exitCodes.ts';
import { readingRequest } from '../files/desired.ts';
import { printFindings, stopOnErrors } from '../findings.ts';
import { namesGiven } from '../flags/variableFlags.ts';
import { type Io, say } from '../io.ts';
import { leftUnfinished } from '../lock/leftUnfinished.ts';
import { type OpenedRuns, withSharedBases } from '../lock/sharedBases.ts';
import { outputAt, refuseForceAlone } from '../output.ts';
import { progressOn } from '../progress.ts';
import { projectOrStop } from '../project.ts';
import { withConnection } from '../server/connect.ts';
import { Stop } from '../stop.ts';
import { checkAgainst, exportInto } from './exportInto.ts';
import type { ExportFlags, ExportRun } from './exportRun.ts';
import { openTarget, type Target } from './exportTarget.ts';
import { limitedTo, removedFor, stateOrStop, stopOnOther } from './fromState.ts';
import { knownBases } from './knownBases.ts';

/** Exports the account, or checks an existing export; returns the exit code. */
export function exportOrCheck(flags: ExportFlags, io: Io): Promise<number> {
  const { place, isText } = placeOf(flags, io);
  // A plan reads the bases of all folders at the remote. An export that predicts a plan reads them
  // too.
  return withSharedBases(isText ? io.cwd : place, { base: 'auto' }, io, async (own, runs) => {
    const asked = await askedFor(flags, own);
    return withConnection(flags, asked.project, own, connection =>
      exportedOf(asked, { transport: readTransport(connection), connection, runs }),
    );
  });
}

function placeOf({ check, out }: ExportFlags, io: Io) {
  const place = check ?? out ?? '-';
  return { place, isText: check === undefined && (place === '-' || isStream(place, io)) };
}

/** An account and its token, and the runs at the remote of the files. */
interface Reached {
  readonly transport: ReadTransport;
  readonly connection: TransportOptions;
  readonly runs: OpenedRuns;
}

/** The inputs from the command line, before the account is read. */
interface Asked extends Pick<ExportRun, 'tools' | 'flags' | 'io' | 'selection'> {
  /** The state file of OpenTofu or Terraform that selects objects. */
  readonly state: StateFile | null;
  readonly isExported?: ExportRequest['isExported'];
  readonly place: string;
  /** The existing files at the target; null for text on a stream. */
  readonly target: Target | null;
  readonly project: Project;
}

async function askedFor(flags: ExportFlags, io: Io): Promise<Asked> {
  const tools = loadSchemas();
  const selected = selectionOrStop(tools.kinds, flags);
  if (flags.check !== undefined && flags.out !== undefined)
    throw new Stop(
      EXIT.usage,
      '`--check` writes nothing, so it cannot be combined with `--out`',
      'remove one of the two',
    );
  refuseForceAlone(flags);
  const { fromState } = flags;
  const state = fromState === undefined ? null : await stateOrStop(fromState, tools.kinds, io);
  const limit = state ? limitedTo(state, selected, tools.kinds) : { selection: selected };
  const { place, isText } = placeOf(flags, io);
  const target = isText ? null : await openTarget(place, { tools, flags, io });
  const project = target?.state?.project ?? projectOrStop(io, target?.path);
  if (!target?.state) printFindings(unusedVariables(namesGiven(flags)), io);
  return { tools, flags, io, ...limit, state, place, target, project };
}

// Reads the account, reports findings, and writes the export or compares it with the files.
async function exportedOf(asked: Asked, { transport, connection, runs }: Reached): Promise<number> {
  const { tools, flags, io, selection, state, place } = asked;
  const { token } = connection;
  const whole = await readAccount(asked, transport);
  const others = await othersOf(asked, whole);
  const bases = await basesFor(asked, whole, token);
  const target =
    asked.target &&
    withStandInsFor(withOthers(asked.target, others), { account: whole, bases, token, asked });
  const files = target?.state;
  const { kinds } = tools;
  const asking = { kinds, transport: withCachedLists(transport) };
  const became = files ? await fatesOf(files, asking, whole.snapshot) : NOTHING_BECAME;
  const account = beside(whole, {
    desired: files?.desired ?? [],
    ids: files?.stored?.base.ids ?? [],
    meant: became.meant,
    others,
    kinds,
  });
  tellOrStop(account, target, asked);
  const left = await leftByRuns(asked, connection, runs);
  const planned = { base: [], ...files, ...(left && { left }) };
  const mark = markWith(token, io.env);
  const judging = { known: kindsToRead(kinds, selection), now: io.now(), ...(mark && { mark }) };
  const run: ExportRun = {
    tools,
    flags,
    io,
    // The written files are reported on stdout, unless stdout contains the blocks for a state.
    report: state ? io.stderr : io.stdout,
    selection,
    dialect: account.snapshot.dialect,
    bases,
    became,
    nextPlan: desired => nextPlan({ ...planned, desired, others }, judging, asking, account),
  };
  if (flags.check !== undefined && target) return checkAgainst(target, account, run);
  const blocks = state ? removedFor(state, account, run) : '';
  if (!target) return exportText(place, account, { blocks, run });
  const code = await exportInto(target, account, run);
  io.stdout.write(blocks);
  return code;
}

// Reports problems of an account. Throws a `Stop` if nothing can be exported from it.
function tellOrStop(
  account: AccountExport,
  target: Target | null,
  { tools: { kinds }, flags, io, selection, state }: Asked,
): void {
  const { findings } = account.snapshot;
  printFindings(findings, io);
  stopOnErrors(findings);
  stopOnUnknown(account);
  if (state) stopOnOther(state, account, { kinds, file: flags.fromState ?? '' });
  printFindings(findingsOf(account, kinds, mentionedKinds(selection, target)), io);
}

// What unfinished applies left. A plan counts it as declared by the base. If only some kinds are
// read, objects of the other kinds would look deleted.
async function leftByRuns(
  { tools: { kinds }, target, selection, io }: Asked,
  connection: TransportOptions,
  runs: OpenedRuns,
): Promise<LeftObjects | undefined> {
  const isWhole = selection.kinds.size + selection.only.length === 0;
  if (!target?.state || !isWhole) return undefined;
  const onNoted = () => {};
  return leftUnfinished(target.path, { kinds, connection, runs, isWhole, onNoted }, io);
}

// Replaces such addresses by placeholders. An address in a file, next to a reference or in its
// place, may be a guess of the value behind the reference. A comparison with that value would
// confirm the guess, so the address is never compared with it.
function withStandInsFor(
  target: Target,
  {
    account: { snapshot },
    bases,
    token,
    asked: { tools, io },
  }: {
    readonly account: AccountExport;
    readonly bases: ExportRun['bases'];
    readonly token: string;
    readonly asked: Pick<Asked, 'tools' | 'io'>;
  },
): Target {
  const { state } = target;
  if (state === undefined) return target;
  const withPlaceholders = withAddressPlaceholders({
    kinds: tools.kinds,
    live: snapshot.objects,
    desired: state.desired,
    elsewhere: [],
    former: bases.flatMap(({ objects }) => objects),
    mark: markWith(token, io.env),
  });
  return { ...target, state: { ...state, desired: withPlaceholders(state.desired) } };
}

// The other folders of the account. New files, or files that name no account, use the account of the server.
async function othersOf(
  { tools, flags, io, target, project }: Asked,
  { snapshot: { account } }: AccountExport,
): Promise<readonly OtherFolder[]> {
  if (!target) return [];
  if (target.state?.project.account !== undefined) return target.state.others ?? [];
  if (account === undefined) return [];
  const files = target.files.map(({ file }) => file);
  const request = readingRequest(target.path, flags, io);
  const others = await othersInAccount(tools, request, { project, account, files });
  return target.state ? others : others.map(withoutGivenUp);
}

// Leaves out objects that another folder has removed from its files, so that only the base of that
// folder still declares them. An export into new files may take over these objects.
const withoutGivenUp = (other: OtherFolder): OtherFolder =>
  other.files.length > 0 ? { ...other, base: [] } : other;

const withOthers = ({ state, ...target }: Target, others: readonly OtherFolder[]): Target => ({
  ...target,
  ...(state && { state: { ...state, others } }),
});

// The export without objects that other folders declare. These objects stay in the files of those folders.
function beside(
  account: AccountExport,
  asked: Pick<AccountAndFolders, 'desired' | 'ids' | 'meant' | 'others' | 'kinds'>,
): AccountExport {
  const { objects: live, dialect } = account.snapshot;
  const model = withoutOtherFolders(account.model, { ...asked, live, dialect });
  return { ...account, model };
}

async function readAccount(
  { tools, flags, io, selection, isExported, target, project }: Asked,
  transport: ReadTransport,
): Promise<AccountExport> {
  const progress = progressOn(io);
  const declared = new Set(
    (target?.state?.desired ?? []).map(({ kind, key }) => addressOf(kind, key)),
  );
  return await exportAccount(tools, transport, {
    selection,
    ...(isExported && { isExported }),
    isDeclared: (kind, key) => declared.has(addressOf(kind, key as Key)),
    withUnknown: flags.withUnknownServices === true,
    dialect: flags.dialect ?? project.dialect ?? 'auto',
    now: io.now(),
    concurrency: flags.concurrency,
    onProgress: progress.fetching,
    onHidden: value => io.secrets.add(value),
  }).finally(progress.clear);
}

// The recorded bases. They are read only if there are texts that may be secrets.
async function basesFor(
  { tools: { kinds }, io, target }: Asked,
  { model, snapshot: { account } }: AccountExport,
  token: string,
): Promise<ExportRun['bases']> {
  if (!mayShowSecrets(model.objects)) return [];
  return knownBases({ path: target?.path ?? io.cwd, account, kinds, token }, io);
}

async function exportText(
  place: string,
  { model: clear, snapshot, variables }: AccountExport,
  { blocks, run: { tools, io, bases } }: { readonly blocks: string; readonly run: ExportRun },
): Promise<number> {
  const { kinds } = tools;
  const known = knownSecrets({ kinds, desired: [], bases, live: snapshot.objects, variables });
  const model = { ...clear, objects: withKnownSecrets(clear.objects, known) };
  const output = place === '-' ? io.stdout : await outputAt(place, EXPORTED, io);
  await output.write(oneFile(model, kinds));
  io.stderr.write(blocks);
  const objects = everyObject(model.objects).length;
  const counts = { objects, added: objects, updated: 0, leftOut: model.leftOut.length };
  say(io.stderr, exportLine(counts));
  return EXIT.done;
}

const NOTHING_BECAME: FateRequest = { deleted: new Set(), meant: new Map() };

const isStream = (place: string, { cwd }: Io): boolean =>
  writeTargetAt(resolve(cwd, place)).is === 'stream';

const EXPORTED = {
  kind: { name: 'the export', ours: 'desired state', isOurs: () => false },
  force: false,
};

function selectionOrStop(kinds: KindTable, flags: ExportFlags): Selection {
  const selection = readSelection(kinds, flags.kinds ?? [], flags.only ?? [], flags.except);
  if ('fault' in selection) throw new Stop(EXIT.usage, selection.fault, selection.hint);
  return selection;
}

function stopOnUnknown({ unknown }: AccountExport): void {
  if (unknown.names.length === 0) return;
  const names = unknown.names.map(name => quoted(name)).join(', ');
  const hint = unknown.hints[0] ?? 'write kind/name, or kind/parent/name for nested objects';
  throw new Stop(EXIT.invalid, `the account has no objects that match ${names}`, hint);
}

// The kinds that the user named, or that the files declare.
function mentionedKinds({ kinds, only }: Selection, target: Target | null): ReadonlySet<KindName> {
  const declared = target?.state?.desired ?? [];
  return new Set([...kinds, ...[...only, ...declared].map(({ kind }) => kind)]);
}

// The findings about kinds. A kind that the server does not offer is reported only if the user asked for it.
function findingsOf(
  { snapshot, model }: AccountExport,
  kinds: KindTable,
  mentioned: ReadonlySet<KindName>,
): Diagnostic[] {
  const { unavailable, notOffered = new Set() } = snapshot;
  return [
    ...[...unavailable].flatMap(([name, why]): Diagnostic[] => {
      if (notOffered.has(name) && !mentioned.has(name)) return [];
      const message = `the server does not return its ${kinds.get(name)?.plural ?? name}: ${why}`;
      return [{ code: 'KIND_UNAVAILABLE', severity: 'warning', message }];
    }),
    ...model.leftOut.map((one): Diagnostic => {
      return { code: 'OBJECT_LEFT_OUT', severity: 'note', message: leftOutText(one, kinds) };
    }),
    ...allowsAllNotes(stateOfLive(snapshot.objects, unavailable)),
  ];
}
