// Plans the removal of ended objects, without removals that would give access. One refused removal
// does not stop the others.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';

/**
 * The ended objects that a plan must not remove, and the receiver of objects whose removal would
 * give access.
 */
interface EndsToPlan {
  readonly heldEnds: ReadonlySet<string>;
  readonly onGivingEnds: (objects: readonly string[]) => void;
}

/**
 * Plans the removal of ended objects. While a removal would give access, plans again without it.
 * Warnings name the objects that stay. If no object is identified as the cause, the plan keeps its
 * errors.
 */
export async function planOfHarmlessEnds(
  planned: (ends: EndsToPlan) => Promise<Plan>,
): Promise<Plan> {
  const held = new Set<string>();
  let warnings: readonly Diagnostic[] = [];
  for (;;) {
    let giving: readonly string[] = [];
    const onGivingEnds = (objects: readonly string[]) => {
      giving = objects;
    };
    const plan = await planned({ heldEnds: held, onGivingEnds });
    if (giving.every(object => held.has(object)))
      return { ...plan, diagnostics: [...warnings, ...plan.diagnostics] };
    for (const object of giving) held.add(object);
    const more = plan.diagnostics.flatMap((one): Diagnostic[] =>
      one.code === 'END_GIVES_ACCESS' ? [{ ...one, severity: 'warning' }] : [],
    );
    warnings = [...warnings, ...more];
  }
}
