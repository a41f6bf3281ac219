// The server shows a usage limit for a one-off key, whatever was requested. That value was not chosen by anybody.
import type { Fields, Json } from '../../model/value.ts';

/** The limit of a reusable key; undefined for a one-off key (docs/server-behaviour.md#setup-keys). */
export function decodeLimitOfReusable(value: Json | undefined, { type }: Fields): Json | undefined {
  return type === 'reusable' ? value : undefined;
}
