// An accepted hazard in flags, project files and journals: `CODE` or `CODE=kind/name`.
import { HAZARD_CODES, type HazardCode } from './codes.ts';

/** A hazard accepted by name, everywhere or for one object. */
export interface Allowance {
  readonly code: HazardCode;
  /** `kind/key`, or a guarded target as written; all objects if absent. */
  readonly object?: string;
}

/** Parses `CODE` or `CODE=kind/name`. */
export function allowance(text: string): Allowance | null {
  const [code = '', ...object] = text.split('=');
  if (!(code in HAZARD_CODES)) return null;
  return { code: code as HazardCode, ...(object.length > 0 && { object: object.join('=') }) };
}

/** The text of an accepted hazard. */
export function allowanceText({ code, object }: Allowance): string {
  return object === undefined ? code : `${code}=${object}`;
}
