// What has to be said on the command line before an apply goes on.
import type { HazardCode } from '../../model/codes.ts';
import type { Plan } from '../../model/plan.ts';
import { shellWord } from '../../model/text/shellWord.ts';

/** What is said in place of `--allow`. */
const INSTEAD: { readonly [code in HazardCode]?: string } = {
  REVEALS_SECRET: '--secrets-to file:PATH',
  CONFLICT: '--resolve desired|live',
};

/** A hazard, and the guarded target that it can only be accepted for. */
interface NeededFor {
  readonly code: HazardCode;
  readonly target?: string;
}

/** The flags that accept hazards, each once. One that a place for secrets takes away is better not accepted. */
export function neededFlags(hazards: Iterable<NeededFor>): string[] {
  const flags = [...hazards].map(({ code, target }) =>
    target === undefined
      ? (INSTEAD[code] ?? `--allow ${code}`)
      : `--allow ${shellWord(`${code}=${target}`)}`,
  );
  return [...new Set(flags)];
}

/** All hazards of a plan: of its actions, and of its access as a whole. */
export function hazardsOf({
  actions,
  gates,
}: Plan): readonly (NeededFor & { readonly message: string; readonly allowed: boolean })[] {
  return [...actions.flatMap(({ hazards }) => hazards), ...(gates?.hazards ?? [])];
}
