// From a live account to declarations: what an export writes, what files adopt, and what became of objects that files name.

import type { FetchedAccount } from '../api/account/fetch.ts';
import type { ReadTransport } from '../api/transport/transport.ts';
import type { Planned } from '../engine/plan/plan.ts';
import type { PlanSettings } from '../engine/types/settings.ts';
import type { ExportModel } from '../export/model.ts';
import type { Trial } from '../export/prove.ts';
import type { Selection as ExportSelection, UnknownNames } from '../export/select.ts';
import { Variables } from '../export/variables.ts';
import { objectDiffersByDialect } from '../kinds/dialect/dialects.ts';
import type { DialectChoice } from '../kinds/traits.ts';
import { tellHidden } from '../kinds/values/hidden.ts';
import { withSecretHosts } from '../kinds/values/secretHosts.ts';
import type { Adoption } from '../model/adoption.ts';
import { type Diagnostic, hasErrors } from '../model/diagnostic.ts';
import type { KindName, RemoteId } from '../model/names.ts';
import type { Desired } from '../model/object.ts';
import { declaredIn, incompleteIn } from '../model/otherFolder.ts';
import type { Json } from '../model/value.ts';
import { objectsOf } from '../read/git/storedBases.ts';
import type { Inputs } from '../source/values/inputs.ts';
import type { DesiredState, Schemas } from './pipeline.ts';
import type { Became } from './planMissing.ts';

/** Reads the part of the account that the desired state needs, and reports which objects an apply would adopt. */
export async function adoptionFor(
  { kinds }: Schemas,
  {
    desired: written,
    folder,
    base,
    recorded,
    others = [],
  }: Pick<DesiredState, 'desired' | 'folder' | 'base' | 'recorded' | 'others'>,
  transport: ReadTransport,
  request: Omit<ExportRequest, 'selection'> & Pick<PlanSettings, 'mark'>,
): Promise<Found<{ readonly adoption?: Adoption }>> {
  const { now, mark } = request;
  const [{ readScope }, { fetchAccount }, { adoptionOf }, { allowsAllNotes }, { stateOfLive }] =
    await Promise.all([
      import('../engine/scope/scope.ts'),
      import('../api/account/fetch.ts'),
      import('../export/adoption/adoption.ts'),
      import('../access/state/allowsAll.ts'),
      import('../access/state/ofLive.ts'),
    ]);
  const scope = readScope(kinds, written, [], 'none');
  const isDialectDeclared = written.some(one => objectDiffersByDialect(kinds, one));
  const account = await fetchAccount(transport, kinds, scope, { ...request, isDialectDeclared });
  tellHidden(kinds, account.objects, request.onHidden);
  const { dialect, findings } = account;
  if (hasErrors(findings)) return { findings };
  const former = [...base, ...(recorded?.objects ?? [])];
  const { withStandIns } = await import('../base/standIns.ts');
  const standIn = withStandIns({
    kinds,
    live: account.objects,
    desired: written,
    elsewhere: others.flatMap(({ files }) => files),
    former: [...former, ...others.flatMap(other => other.base)],
    mark,
  });
  const desired = standIn(written);
  const elsewhere = others.map(other => ({ ...other, files: standIn(other.files) }));
  const declared = [...desired, ...former, ...declaredIn(elsewhere)];
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
  /** Whether the files already declare an object: then its creator does not matter. */
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
  /** The names of variables for secrets in it. */
  readonly variables: Variables;
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
      import('../export/select.ts'),
      import('../export/build.ts'),
      import('../export/prove.ts'),
      import('../api/account/fetch.ts'),
      import('../engine/plan/plan.ts'),
    ]);
  const wanted = kindsToRead(kinds, selection);
  const parents = new Map([...wanted].map(name => [name, 'all' as const]));
  const snapshot = await fetchAccount(transport, kinds, { kinds: wanted, parents }, request);
  tellHidden(kinds, snapshot.objects, request.onHidden);
  const { dialect } = snapshot;
  const { makersIn } = await import('./planMissing.ts');
  // A state names its objects, and somebody chose it.
  const asked = has ? [] : snapshot.objects.filter(one => !isDeclared(one.kind, one.key));
  const makers = await makersIn(asked, kinds, transport);
  const variables = new Variables();
  const whole = exportModel({
    kinds,
    now,
    makers,
    withUnknown,
    variables,
    ...snapshot,
    ...(has && { has }),
  });
  const { model, unknown } = selected(whole, selection);
  const settings: PlanSettings = { dialect, now, prune: 'none', allow: [], thresholds: {} };
  const trial: Trial = {
    kinds,
    read: text => reader.read([{ file: 'export', text }], ALL_SECRETS_THERE),
    plan: desired => buildPlan({ kinds, desired, base: [], snapshot, settings, folder: '' }),
  };
  return { snapshot, unknown, variables, model: proven(model, trial) };
}

export type { Became, Planned };

/** A transport that asks once for each list: what is read again has not changed since. */
export function askingOnce(transport: ReadTransport): ReadTransport {
  const answers = new Map<string, Promise<Json>>();
  return {
    requests: transport.requests,
    get: path => {
      const answer = answers.get(path) ?? transport.get(path);
      answers.set(path, answer);
      return answer;
    },
  };
}

/**
 * The findings of the next plan of the files about an exported account: with the recorded base of their folder, and with
 * deletions of undeclared objects. Only `known` kinds were read.
 */
export async function nextPlan(
  { kinds }: Schemas,
  {
    desired,
    stored,
    known,
    now,
  }: Pick<DesiredState, 'desired' | 'stored'> & {
    readonly known: ReadonlySet<KindName>;
    readonly now: number;
  },
  { snapshot }: Pick<AccountExport, 'snapshot'>,
  transport: ReadTransport,
): Promise<Planned> {
  const [{ declarationsOf, knownNames, plannedWith }, { planned }] = await Promise.all([
    import('./planNames.ts'),
    import('../engine/plan/plan.ts'),
  ]);
  const { dialect } = snapshot;
  const isKnown = ({ kind }: Pick<Desired, 'kind'>) => known.has(kind);
  const recordedNow = stored ? objectsOf(stored, kinds).filter(isKnown) : [];
  const ids = (stored?.base.ids ?? []).filter(isKnown);
  const given = { desired: desired.filter(isKnown), base: recordedNow, ids };
  const declarations = declarationsOf(given, kinds, undefined);
  const names = await knownNames(
    declarations,
    snapshot,
    { kinds, dialect, recordedNow },
    transport,
  );
  const prune = stored ? 'removed' : 'none';
  const settings: PlanSettings = { dialect, now, prune, allow: [], thresholds: {} };
  const input = { ...names.input, kinds, settings, folder: '' };
  return plannedWith(input, names.ids, planned, transport);
}

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

const ALL_SECRETS_THERE: Inputs = { env: () => 'there', file: () => undefined, vars: new Map() };
