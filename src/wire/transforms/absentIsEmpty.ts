// Decodes a part that the server leaves out if it is empty.
import type { Json } from '../../model/value.ts';

/** The part, or an empty one (docs/server-behaviour.md#reverse-proxy). */
export const decodeAbsentIsEmpty = (part: Json | undefined): Json => part ?? {};
