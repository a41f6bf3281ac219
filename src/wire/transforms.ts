// The closed list of odd wire shapes. A kind names one of them on a field; there is no code for a kind.
import type { TransformName } from '../kinds/traits.ts';
import type { Fields, Json } from '../model/value.ts';
import { decodeLifetimeInDays } from './transforms/lifetimeInDays.ts';
import { decodeLimitOfReusable } from './transforms/limitOfReusable.ts';
import { decodePlaceholderNetwork } from './transforms/placeholderNetwork.ts';
import { decodeDirectPort, decodePortRanges } from './transforms/portMappings.ts';

/** A field as declared fields have it; `siblings` is the body it stands in, or should. */
export type Transform = (value: Json | undefined, siblings: Fields) => Json | undefined;

export const TRANSFORM: Readonly<Record<TransformName, Transform>> = {
  'lifetime-in-days': decodeLifetimeInDays,
  'limit-of-reusable': decodeLimitOfReusable,
  'mapped-direct-port': decodeDirectPort,
  'mapped-port-ranges': decodePortRanges,
  'placeholder-network': decodePlaceholderNetwork,
};
