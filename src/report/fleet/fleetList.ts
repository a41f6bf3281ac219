// The accounts of a fleet with their layers and their waves.
import { existingLayers, type FleetAccount } from '../../model/fleet.ts';
import type { Ledger } from '../../model/rollout.ts';
import { jsonText } from '../../model/text/jsonText.ts';
import type { JsonObject } from '../../model/value.ts';
import type { Style } from '../text/style.ts';
import { counted } from '../text/summary.ts';
import { valueTable } from '../text/table.ts';

/** An account, and the number of its wave. */
export interface ListedAccount {
  readonly account: FleetAccount;
  /** Undefined if no wave contains the account. */
  readonly wave: number | undefined;
}

// If the table is too wide, columns are left out from the end of this list.
const COLUMNS = ['name', 'wave', 'notes', 'credentials', 'layers', 'labels', 'tenant'];

/**
 * The accounts as a table. `open` is the open rollout, whose accounts are fixed; it is given only if all accounts of the fleet
 * are listed.
 */
export function fleetListText(
  listed: readonly ListedAccount[],
  style: Style,
  open?: Pick<Ledger, 'accounts'>,
): string {
  const rows = listed.map(({ account, wave }) => ({
    name: account.name,
    wave: wave ?? 'none',
    credentials: account.credentials,
    layers: existingLayers(account).join(', '),
    labels: Object.entries(account.labels)
      .map(([label, value]) => `${label}=${value}`)
      .join(', '),
    tenant: account.tenant ?? '',
    notes: [...(isNew(account, open) ? [NEW] : []), ...notesOf(account)].join('; '),
  }));
  const gone = goneOf(listed, open).map(name => ({ name, notes: GONE }));
  const { text, leftOut } = valueTable([...rows, ...gone], COLUMNS, style);
  const hidden = leftOut.length > 0 ? `Not shown: ${leftOut.join(', ')}; see --format json.\n` : '';
  const without = listed.filter(({ account }) => account.hasNoFiles).length;
  const plain = without > 0 ? `, ${without} without files of their own` : '';
  return `${text}\n${style.faint(hidden)}${counted(listed.length, 'account')}${plain}\n`;
}

/** The note for an account that waits for the next rollout. */
const NEW = 'new';
/** The note for an account that only the open rollout contains. */
const GONE = 'gone';

const isNew = ({ name }: FleetAccount, open: Pick<Ledger, 'accounts'> | undefined): boolean =>
  open !== undefined && !open.accounts.some(one => one.name === name);

/** The names of accounts of the open rollout that the fleet no longer contains. */
function goneOf(
  listed: readonly ListedAccount[],
  open: Pick<Ledger, 'accounts'> | undefined,
): readonly string[] {
  const names = new Set(listed.map(({ account }) => account.name));
  return (open?.accounts ?? []).flatMap(({ name }) => (names.has(name) ? [] : [name]));
}

const notesOf = ({ hasNoFiles, absentLayers, fault }: FleetAccount): readonly string[] => [
  ...(fault ? [fault.message] : []),
  ...(hasNoFiles && !fault ? ['no files of its own'] : []),
  ...(absentLayers.length > 0 ? [`without ${absentLayers.join(', ')}`] : []),
];

/** The accounts as a document. */
export const fleetListJson = (
  listed: readonly ListedAccount[],
  open?: Pick<Ledger, 'accounts'>,
): string =>
  jsonText({
    format_version: '1.0',
    accounts: listed.map(
      ({ account, wave }): JsonObject => ({
        name: account.name,
        wave: wave ?? null,
        credentials: account.credentials,
        tenant: account.tenant ?? null,
        layers: existingLayers(account),
        absent_layers: account.absentLayers,
        has_no_files: account.hasNoFiles,
        labels: account.labels,
        vars: account.vars,
        ...(account.fault && { fault: account.fault.message }),
        ...(open && { is_new: isNew(account, open) }),
      }),
    ),
    ...(open && { gone: goneOf(listed, open) }),
  });
