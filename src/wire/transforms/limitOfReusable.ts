// A key for one machine reads as if it had a limit, whatever limit was asked for. It is not a field anybody set.
import type { Fields, Json } from '../../model/value.ts';

/** The limit of a key that is used more than once; none of any other (docs/server-behaviour.md#setup-keys). */
export function decodeLimitOfReusable(value: Json | undefined, { type }: Fields): Json | undefined {
  return type === 'reusable' ? value : undefined;
}
