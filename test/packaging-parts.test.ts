// The bundle evaluates what the sources import later in one of its parts.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withParts } from '../packaging/parts.ts';

const FILE = join(import.meta.dirname, '../src/cli/run.ts');

test('an import when the program runs evaluates a module of a part', () => {
  expect(withParts(FILE, "await import('./commands/plan.ts')")).toBe(
    "await import('meshform:commands').then(part => part.modules['cli/commands/plan.ts']())",
  );
});

test('an import in a type stays as it is', () => {
  const text = "type Errors = Pick<typeof import('../emulator/index.ts'), 'UnusableFile'>;";
  expect(withParts(FILE, text)).toBe(text);
});
