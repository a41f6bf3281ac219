// Decodes a port that either the user sets or the server chooses, and that responses show in both cases.
import type { Fields, Json } from '../../model/value.ts';

/** The port; undefined if the server chose it or there is none (docs/server-behaviour.md#reverse-proxy). */
export function decodeChosenPort(
  port: Json | undefined,
  { port_auto_assigned: isAssigned }: Fields,
): Json | undefined {
  return isAssigned === true || port === 0 ? undefined : port;
}
