// The accounts of a fleet: with which layers, and in which wave.
import type { FleetAccount } from '../../model/fleet.ts';
import { jsonText } from '../../model/text/jsonText.ts';
import type { JsonObject } from '../../model/value.ts';
import type { Style } from '../text/style.ts';
import { counted } from '../text/summary.ts';
import { valueTable } from '../text/table.ts';

/** An account, and the number of its wave. */
export interface ListedAccount {
  readonly account: FleetAccount;
  /** Undefined if no wave takes it. */
  readonly wave: number | undefined;
}

const COLUMNS = ['name', 'wave', 'credentials', 'layers', 'labels', 'tenant', 'notes'];

/** The accounts as a table. */
export function fleetListText(listed: readonly ListedAccount[], style: Style): string {
  const rows = listed.map(({ account, wave }) => ({
    name: account.name,
    wave: wave ?? 'none',
    credentials: account.credentials,
    layers: account.layers.join(', '),
    labels: Object.entries(account.labels)
      .map(([label, value]) => `${label}=${value}`)
      .join(', '),
    tenant: account.tenant ?? '',
    notes: notesOf(account),
  }));
  const { text } = valueTable(rows, COLUMNS, style);
  return `${text}\n${counted(listed.length, 'account')}\n`;
}

function notesOf({ hasNoFiles, absentLayers }: FleetAccount): string {
  if (hasNoFiles) return 'no files of its own';
  return absentLayers.length > 0 ? `without ${absentLayers.join(', ')}` : '';
}

/** The accounts as a document. */
export const fleetListJson = (listed: readonly ListedAccount[]): string =>
  jsonText({
    format_version: '1.0',
    accounts: listed.map(
      ({ account, wave }): JsonObject => ({
        name: account.name,
        wave: wave ?? null,
        credentials: account.credentials,
        tenant: account.tenant ?? null,
        layers: account.layers,
        absent_layers: account.absentLayers,
        has_no_files: account.hasNoFiles,
        labels: account.labels,
        vars: account.vars,
      }),
    ),
  });
