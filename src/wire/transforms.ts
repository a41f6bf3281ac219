// The closed list of irregular wire shapes. A kind names one of them on a field; no kind has code of its own.
import type { TransformName } from '../kinds/traits.ts';
import type { Fields, Json } from '../model/value.ts';
import { decodeAbsentIsEmpty } from './transforms/absentIsEmpty.ts';
import { decodeChosenPort } from './transforms/chosenPort.ts';
import { decodeLifetimeInDays } from './transforms/lifetimeInDays.ts';
import { decodeLifetimeInSeconds } from './transforms/lifetimeInSeconds.ts';
import { decodeLimitOfReusable } from './transforms/limitOfReusable.ts';
import { decodePlaceholderNetwork } from './transforms/placeholderNetwork.ts';
import { decodeDirectPort, decodePortRanges } from './transforms/portMappings.ts';
import { decodeWrittenHost } from './transforms/writtenHost.ts';

/** Decodes a field. `siblings` is the body that contains the field, or would contain it. */
export type Transform = (value: Json | undefined, siblings: Fields) => Json | undefined;

export const TRANSFORM: Readonly<Record<TransformName, Transform>> = {
  'absent-is-empty': decodeAbsentIsEmpty,
  'chosen-port': decodeChosenPort,
  'lifetime-in-days': decodeLifetimeInDays,
  'lifetime-in-seconds': decodeLifetimeInSeconds,
  'limit-of-reusable': decodeLimitOfReusable,
  'mapped-direct-port': decodeDirectPort,
  'mapped-port-ranges': decodePortRanges,
  'placeholder-network': decodePlaceholderNetwork,
  'written-host': decodeWrittenHost,
};
