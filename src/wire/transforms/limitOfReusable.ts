// Decodes a usage limit. For a one-off key, the server shows a limit that nobody chose, whatever was requested.
import type { Fields, Json } from '../../model/value.ts';

/** The limit of a reusable key; undefined for a one-off key (docs/server-behaviour.md#setup-keys). */
export function decodeLimitOfReusable(value: Json | undefined, { type }: Fields): Json | undefined {
  return type === 'reusable' ? value : undefined;
}
