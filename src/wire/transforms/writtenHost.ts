// Decodes an address that is written for some targets, and that the server looks up for the other targets.
import type { Fields, Json } from '../../model/value.ts';

const WRITTEN = ['subnet', 'cluster'];

/** The host; undefined if the server looks it up at every read (docs/server-behaviour.md#reverse-proxy). */
export function decodeWrittenHost(
  host: Json | undefined,
  { target_type: type }: Fields,
): Json | undefined {
  return WRITTEN.includes(String(type)) ? host : undefined;
}
