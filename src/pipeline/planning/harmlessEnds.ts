// Plans the removal of ended objects, without the removals that would give access. One refused removal does not stop the others.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';

/** The ended objects that a plan must leave, and the receiver of those whose removal would give access. */
interface EndsToPlan {
  readonly heldEnds: ReadonlySet<string>;
  readonly onGivingEnds: (objects: readonly string[]) => void;
}

/**
 * Plans the removal of ended objects. As long as a removal would give access, plans again without it. Warnings name the objects
 * that stay. If no object can be named as the cause, the plan keeps its errors.
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
