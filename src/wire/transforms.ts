// The closed list of odd wire shapes. A kind names one of them on a field; there is no code for a kind.
import type { TransformName } from '../kinds/traits.ts';
import type { Fields, Json } from '../model/value.ts';
import { decodePlaceholderNetwork } from './transforms/placeholderNetwork.ts';

/** What a transform may do with a field; `siblings` is the body the field stands in. */
export interface Transform {
  readonly decode: (value: Json, siblings: Fields) => Json | undefined;
}

export const TRANSFORM: Readonly<Record<TransformName, Transform>> = {
  'placeholder-network': { decode: decodePlaceholderNetwork },
};
