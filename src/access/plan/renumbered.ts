// Machines whose overlay addresses change because the overlay network gets a new range. The server chooses the addresses, so each
// machine may get any address of the range.
import type { Json } from '../../model/value.ts';
import { distanceWithin } from '../world/address.ts';
import { type Draft, withFields } from './draft.ts';
import type { Update } from './serverMoves.ts';

/**
 * The settings that contain the overlay ranges. Each entry names the field of a machine that
 * contains an address of the range.
 */
const RANGES = [
  ['network_range', 'ip'],
  ['network_range_v6', 'ipv6'],
] as const;

/**
 * If an update changes a range, replaces the addresses of machines by the new range. Returns the
 * names of the drafts that it changes.
 */
export function renumber(
  drafts: Map<string, Draft>,
  { kind, before, after }: Pick<Update, 'kind' | 'before' | 'after'>,
): readonly string[] {
  if (kind.name !== 'account_settings') return [];
  return RANGES.flatMap(([field, address]) => {
    const range = after[field];
    if (typeof range !== 'string' || range === '' || range === before[field]) return [];
    return [...drafts].flatMap(([name, draft]) => {
      const { kind: of, fields } = draft.object;
      if (of !== 'peer' || !isOutside(fields[address], range)) return [];
      drafts.set(name, withFields(draft, { [address]: range }));
      return [name];
    });
  });
}

const isOutside = (address: Json | undefined, range: string): boolean =>
  typeof address === 'string' && address !== '' && distanceWithin(address, range) === undefined;
