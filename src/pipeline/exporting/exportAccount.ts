// Turns a live account into the declarations for an export.

import type { FetchedAccount } from '../../api/account/fetch.ts';
import type { ReadTransport } from '../../api/transport/transport.ts';
import type { PlanSettings } from '../../engine/types/settings.ts';
import type { Selection as ExportSelection, UnknownNames } from '../../export/exportSelection.ts';
import type { ExportModel } from '../../export/model.ts';
import { Variables } from '../../export/variables.ts';
import type { Trial } from '../../export/verified.ts';
import type { DialectChoice } from '../../kinds/traits.ts';
import { registerHidden } from '../../kinds/values/hidden.ts';
import type { KindName, RemoteId } from '../../model/names.ts';
import type { Inputs } from '../../source/values/externalInputs.ts';
import type { Schemas } from '../schemas.ts';

/** What to export, and how the account is read. */
export interface ExportRequest {
  readonly dialect: DialectChoice;
  readonly selection: ExportSelection;
  /** Limits the export to these objects and their parents. */
  readonly isExported?: (kind: KindName, id: RemoteId) => boolean;
  /**
   * Whether the files already declare an object. If they do, it does not matter who created the
   * object.
   */
  readonly isDeclared?: (kind: KindName, key: string) => boolean;
  /**
   * Whether to export an object that a machine may have created, even if the audit log does not
   * show who created it.
   */
  readonly withUnknown?: boolean;
  /** The current time, in milliseconds. */
  readonly now: number;
  readonly concurrency: number;
  readonly onProgress?: (done: number, total: number) => void;
  /** Receives the secrets of live objects, so that no message repeats them. */
  readonly onHidden?: (value: string) => void;
}

/** The content of an account, both as it was read and as files would declare it. */
export interface AccountExport {
  readonly snapshot: FetchedAccount;
  readonly model: ExportModel;
  /** The names of variables for secrets in the declarations. */
  readonly variables: Variables;
  /** Requested names that match no object. */
  readonly unknown: UnknownNames;
}

/**
 * Reads the requested part of an account, with the children of all parents, and converts it to
 * declarations. An object is left out if a plan of its declaration would change it
 * (docs/design.md#barriers-before-the-first-write).
 */
export async function exportAccount(
  schemas: Schemas,
  transport: ReadTransport,
  request: ExportRequest,
): Promise<AccountExport> {
  const { kinds } = schemas;
  const { selection, now, isExported } = request;
  const { isDeclared = () => false, withUnknown = false } = request;
  const { kindsToRead, selectedModel, exportModel, verified, fetchAccount, makersIn } =
    await exporters();
  const wanted = kindsToRead(kinds, selection);
  const parents = new Map([...wanted].map(name => [name, 'all' as const]));
  const snapshot = await fetchAccount(transport, kinds, { kinds: wanted, parents }, request);
  registerHidden(kinds, snapshot.objects, request.onHidden);
  // If a state file names an object, somebody chose it, so it does not matter who created the
  // object.
  const asked = isExported ? [] : snapshot.objects.filter(one => !isDeclared(one.kind, one.key));
  const makers = await makersIn(asked, kinds, transport);
  const variables = new Variables();
  const whole = exportModel({
    kinds,
    now,
    makers,
    withUnknown,
    variables,
    ...snapshot,
    ...(isExported && { isExported }),
  });
  const { model, unknown } = selectedModel(whole, selection);
  const trial = await trialIn(snapshot, schemas, now);
  return { snapshot, unknown, variables, model: verified(model, trial) };
}

// The modules that an export needs; they are loaded only when an export begins.
async function exporters() {
  const [
    { kindsToRead, selectedModel },
    { exportModel },
    { verified },
    { fetchAccount },
    { makersIn },
  ] = await Promise.all([
    import('../../export/exportSelection.ts'),
    import('../../export/build.ts'),
    import('../../export/verified.ts'),
    import('../../api/account/fetch.ts'),
    import('../auditLog.ts'),
  ]);
  return { kindsToRead, selectedModel, exportModel, verified, fetchAccount, makersIn };
}

// Tests declarations. Reads them like files, and plans them against the account from which they
// were exported.
async function trialIn(
  snapshot: FetchedAccount,
  { kinds, reader }: Schemas,
  now: number,
): Promise<Trial> {
  const { buildPlan } = await import('../../engine/plan/plan.ts');
  const { dialect } = snapshot;
  const settings: PlanSettings = { dialect, now, prune: 'none', allow: [], thresholds: {} };
  return {
    kinds,
    read: text => reader.read([{ file: 'export', text }], ALL_SECRETS_THERE),
    plan: desired => buildPlan({ kinds, desired, base: [], snapshot, settings, folder: '' }),
  };
}

const ALL_SECRETS_THERE: Inputs = { env: () => 'there', file: () => undefined, vars: new Map() };
