// What holds of the document of every plan: its schema, the numbers and the order in it, and that it is read back as the same plan.
import { expect } from 'vitest';
import { shippedSchema } from '../../src/kinds/registry.ts';
import { schemaCompiler } from '../../src/kinds/schema/keywords.ts';
import { hasErrors } from '../../src/model/diagnostic.ts';
import type { Plan } from '../../src/model/plan.ts';
import { planOfText } from '../../src/report/plan/planFile.ts';
import { savedPlan } from '../../src/report/plan/savedPlan.ts';
import { KINDS } from './files.ts';

interface ResourceChange {
  readonly address: string;
  readonly change: {
    readonly actions: readonly string[];
    readonly before: unknown;
    readonly after: unknown;
  };
}

const isDocument = schemaCompiler().compile(shippedSchema('plan.schema.json'));

/** By type of change, the words of OpenTofu. */
const WORDS = {
  create: ['create'],
  update: ['update'],
  replace: ['delete', 'create'],
  delete: ['delete'],
} as const;

/** Expects the document of a plan to have its form. */
export function expectDocument(made: Plan): void {
  const saved = savedPlan(made, KINDS, 0);
  const { document } = saved;
  expect(isDocument(document), JSON.stringify(isDocument.errors)).toBe(true);
  // A plan with errors is only shown, and what is missing in the account is not part of a saved plan.
  const { missing: _, ...plan } = saved.plan;
  const read = () => planOfText(JSON.stringify(document), 'plan.json', isDocument);
  if (!hasErrors(made.diagnostics)) expect(read()).toEqual({ ...saved, plan });

  const changes = document.resource_changes as unknown as readonly ResourceChange[];
  const asTofu = made.changes.map(({ address, type }) => [address, WORDS[type]]);
  expect(changes.map(({ address, change }) => [address, change.actions])).toEqual(asTofu);
  for (const { address, change } of changes) {
    expect(change.before === null, `${address} has no object before`).toBe(
      change.actions.join() === 'create',
    );
    expect(change.after === null, `${address} has no object after`).toBe(
      change.actions.join() === 'delete',
    );
  }

  const before = new Set<string>();
  for (const { id, after } of made.actions) {
    expect(
      after.filter(other => !before.has(other)),
      `${id} comes after`,
    ).toEqual([]);
    before.add(id);
  }
}
