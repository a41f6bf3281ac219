// A secret that the server shows once, while a plan is applied.
import type { Address } from '../../model/names.ts';

/** The object that gets the secret, and the field in which the server shows it. */
export interface AwaitedSecret {
  readonly address: Address;
  readonly field: string;
}
