// Decodes ports that are declared as ranges or as a number of ports, and read back as the mappings that the server chose
// (docs/server-behaviour.md#ingress).
import { type Fields, isList, isObject, type Json } from '../../model/value.ts';

/** The ranges of the peer's own ports that the mappings lead to. */
export function decodePortRanges(_: Json | undefined, siblings: Fields): Json | undefined {
  return mappingsIn(siblings)?.map(
    ({ translated_start: start, translated_end: end, protocol }) => ({
      ...(start !== undefined && { start }),
      ...(end !== undefined && { end }),
      ...(protocol !== undefined && { protocol }),
    }),
  );
}

/** The number of ports, if all of them have one protocol. The API cannot request a number of ports for several protocols. */
export function decodeDirectPort(_: Json | undefined, siblings: Fields): Json | undefined {
  const mappings = mappingsIn(siblings) ?? [];
  const [protocol, ...others] = new Set(mappings.map(mapping => mapping.protocol));
  if (protocol === undefined || others.length > 0) return undefined;
  const count = mappings
    .map(({ ingress_start: start, ingress_end: end }) => Number(end) - Number(start) + 1)
    .reduce((sum, size) => sum + size, 0);
  return { count, protocol };
}

function mappingsIn({ port_range_mappings: mappings }: Fields): readonly Fields[] | undefined {
  return isList(mappings) ? mappings.filter(isObject) : undefined;
}
