// A port that is written or chosen by the server, and shown in both cases.
import type { Fields, Json } from '../../model/value.ts';

/** The port, unless the server chose it or there is none (docs/server-behaviour.md#reverse-proxy). */
export function decodeChosenPort(
  port: Json | undefined,
  { port_auto_assigned: isAssigned }: Fields,
): Json | undefined {
  return isAssigned === true || port === 0 ? undefined : port;
}
