// An accepted hazard in flags, project files and journals: `CODE` or `CODE=kind/name`.
import { HAZARD_CODES, type HazardCode } from './codes.ts';

/** A hazard accepted by name, everywhere or for one object. */
export interface Allowance {
  readonly code: HazardCode;
  /** `kind/key`, or a guarded target as it is written; absent for all objects. */
  readonly object?: string;
  /** The former code of the hazard, if the person wrote that code. */
  readonly written?: string;
}

/** Parses `CODE` or `CODE=kind/name`. */
export function allowance(text: string): Allowance | null {
  const [code = '', ...object] = text.split('=');
  if (!Object.hasOwn(HAZARD_CODES, code)) return null;
  if (object.length === 0) return { code: code as HazardCode };
  const now = OF_TARGET[code];
  const target = object.join('=');
  if (now === undefined) return { code: code as HazardCode, object: target };
  return { code: now, object: target, written: code };
}

// Former codes about guarded targets. With a target, each means the current code about guarded
// targets.
const OF_TARGET: Readonly<Partial<Record<string, HazardCode>>> = {
  WIDENS_ACCESS: 'WIDENS_GUARDED_ACCESS',
  NARROWS_ACCESS: 'NARROWS_GUARDED_ACCESS',
};

/** The text of an accepted hazard. */
export function allowanceText({ code, object }: Allowance): string {
  return object === undefined ? code : `${code}=${object}`;
}
