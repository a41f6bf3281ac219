// Hazards as checks find them.
import type { Address } from '../../model/names.ts';
import type { Hazard } from '../../model/plan.ts';

/** A hazard, before it is known whether somebody has allowed it. */
export type FoundHazard = Omit<Hazard, 'allowed'>;

/** Hazards by the address of the object that changes. */
export type FoundHazards = ReadonlyMap<Address, readonly FoundHazard[]>;
