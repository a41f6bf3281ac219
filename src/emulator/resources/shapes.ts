// Shapes that several request bodies share.
import type { Environment } from '../environment.ts';
import type { Reference } from '../records/topology.ts';
import { object, text } from '../request/body.ts';

/** A reference to a network resource or a peer. */
export const reference = object({ id: text, type: text });

/** Whether the server of the dialect omits a reference without id and type. */
export function isUnseen({ id, type }: Reference, { behaviour }: Environment): boolean {
  return id === '' && type === '' && behaviour.emptyPointers === 'not at all';
}
