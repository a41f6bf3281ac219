// The saved plans of a fleet: a file for each account, and one that binds them together by a digest.
import { createHash } from 'node:crypto';
import type { FleetAccount, FleetStop, FleetWave } from '../model/fleet.ts';
import type { AccessCounts } from '../model/rollout.ts';
import { stableText } from '../model/text/stableText.ts';
import { isObject, type Json, type JsonObject } from '../model/value.ts';
import type { AccountIdentity } from './rollout/sameAccounts.ts';

const FLEET_PLAN_VERSION = '1.0';

/** The plan of one account in a saved fleet. */
interface SavedAccountPlan {
  readonly account: FleetAccount;
  /** The id of the account that the plan was made for. */
  readonly id: string | null;
  /** The address of its server; absent in plans of earlier versions. */
  readonly server?: string;
  readonly digest: string;
  readonly contentDigest: string;
  /** The numbers of its changes that give and that take access, if they are known. */
  readonly access?: AccessCounts;
}

/** The plans of a fleet. */
export interface SavedFleet {
  /** The fleet file, as it was named. */
  readonly fleet: string;
  readonly name: string;
  /** RFC 3339. */
  readonly madeAt: string;
  readonly plans: readonly SavedAccountPlan[];
  /** The names of the accounts that could not be planned, and do not take part. */
  readonly unplanned: readonly string[];
  /** The flags that the plans were made with. */
  readonly flags: JsonObject;
  readonly waves: readonly FleetWave[];
  readonly stop: FleetStop;
}

/** What identifies the account of a saved plan. */
export const identityOf = ({ account, id, server }: SavedAccountPlan): AccountIdentity => ({
  name: account.name,
  ...(id !== null && { account: id }),
  ...(server !== undefined && { server }),
});

/** The document of saved plans, with its digest. */
export function savedFleetDocument(saved: SavedFleet): { document: JsonObject; digest: string } {
  const { fleet, name, madeAt, plans, unplanned, flags, waves, stop } = saved;
  const content: JsonObject = {
    format_version: FLEET_PLAN_VERSION,
    fleet,
    name,
    made_at: madeAt,
    accounts: plans.map(({ account, id, server, digest, contentDigest, access }) => ({
      ...accountDocument(account),
      account: id,
      ...(server !== undefined && { server }),
      digest,
      content_digest: contentDigest,
      ...(access && { access: { gained: access.gained, lost: access.lost } }),
    })),
    unplanned,
    flags,
    waves: waves.map(wave => ({ ...wave })),
    stop: { ...stop },
  };
  const digest = `sha256:${createHash('sha256').update(stableText(content)).digest('hex')}`;
  return { document: { ...content, digest }, digest };
}

function accountDocument(account: FleetAccount): JsonObject {
  const {
    name,
    credentials,
    layers,
    sharedLayers,
    absentLayers,
    hasNoFiles,
    labels,
    vars,
    tenant,
  } = account;
  return {
    name,
    credentials,
    layers,
    shared_layers: sharedLayers,
    absent_layers: absentLayers,
    has_no_files: hasNoFiles,
    labels,
    vars,
    ...(tenant !== undefined && { tenant }),
    ...(account.account !== undefined && { declared_account: account.account }),
  };
}

/**
 * The saved plans in a document; null if the document is not a saved fleet, or its digest does not
 * match its content.
 */
export function savedFleetOf(document: Json): (SavedFleet & { readonly digest: string }) | null {
  if (!isObject(document) || document.format_version !== FLEET_PLAN_VERSION) return null;
  const { digest, accounts, fleet, name, made_at, unplanned, flags, waves, stop } = document;
  const read = {
    fleet: String(fleet),
    name: String(name),
    madeAt: String(made_at),
    plans: (Array.isArray(accounts) ? accounts : []).filter(isObject).map(planOf),
    unplanned: (unplanned ?? []) as readonly string[],
    flags: isObject(flags) ? flags : {},
    waves: (waves ?? []) as unknown as readonly FleetWave[],
    stop: stop as unknown as FleetStop,
  };
  // A value that is read differently from how it was written changes the digest.
  return savedFleetDocument(read).digest === digest ? { ...read, digest } : null;
}

function planOf(written: JsonObject): SavedAccountPlan {
  const {
    name,
    credentials,
    layers,
    shared_layers,
    absent_layers,
    has_no_files,
    labels,
    vars,
    tenant,
  } = written;
  const { declared_account, account, server, digest, content_digest, access } = written;
  return {
    account: {
      name: String(name),
      credentials: String(credentials),
      layers: layers as readonly string[],
      sharedLayers: shared_layers as readonly string[],
      absentLayers: absent_layers as readonly string[],
      hasNoFiles: has_no_files === true,
      labels: labels as Readonly<Record<string, string>>,
      vars: vars as Readonly<Record<string, string>>,
      ...(typeof tenant === 'string' && { tenant }),
      ...(typeof declared_account === 'string' && { account: declared_account }),
    },
    id: typeof account === 'string' ? account : null,
    ...(typeof server === 'string' && { server }),
    digest: String(digest),
    contentDigest: String(content_digest),
    ...(isObject(access) && {
      access: { gained: Number(access.gained), lost: Number(access.lost) },
    }),
  };
}
