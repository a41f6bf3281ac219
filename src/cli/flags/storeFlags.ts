// The flags for a store of observed traffic.
import { EXIT } from '../exitCodes.ts';
import { Stop } from '../stop.ts';

export interface StoreFlags {
  readonly store?: string;
  /** How far back, in milliseconds. */
  readonly since?: number;
}

/** Refuses these flags for a question that is not about use. */
export function refuseStore({ store, since }: StoreFlags): void {
  if (store === undefined && since === undefined) return;
  const message = '`--store` and `--since` are flags of `access used`';
  throw new Stop(EXIT.usage, message, 'access used [SELECTOR...] --store DIR');
}
