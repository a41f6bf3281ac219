// What `explain` prints of a field: every kind and every nested path has an example that has it and would pass as a file.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { childSteps } from '../../src/kinds/lookup.ts';
import { exampleText } from '../../src/report/explain/example.ts';
import { fieldsWithin } from '../../src/report/explain/explainWords.ts';
import { inFolder, meshform } from '../support/cli.ts';
import { KINDS, load } from '../support/files.ts';

/** An example is a whole file, but its secrets lie elsewhere. */
const LACKS = ['SECRET_UNDEFINED'];

interface Validated {
  readonly diagnostics: readonly { readonly code: string }[];
}

// Objects of a kind without verbs can only be referred to.
const kinds = [...KINDS.values()]
  .filter(({ verbs }) => verbs.size > 0)
  .map(kind => ({
    name: kind.name,
    kind,
    paths: [...kind.shape.fields.values()]
      .filter(({ readOnly }) => !readOnly)
      .flatMap(field => fieldsWithin(field))
      .filter(({ field }) => !field.readOnly)
      .map(({ path }) => path.replaceAll('[]', '').split('.')),
  }));

const faultsOf = (yaml: string) => {
  const { diagnostics } = load(yaml, {
    env: () => undefined,
    file: () => undefined,
    vars: new Map(),
  });
  return diagnostics.filter(({ code }) => !LACKS.includes(code));
};

function has(value: unknown, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined) return true;
  if (Array.isArray(value)) return value.some(item => has(item, [step, ...rest]));
  if (typeof value !== 'object' || value === null) return false;
  const inner: unknown = Reflect.get(value, step);
  return inner !== undefined && has(inner, rest);
}

describe.each(kinds)('$name', ({ kind, paths }) => {
  const place = kind.at.replaceAll('[]', '').split('.');

  test('every field occurs in an example, which validates', () => {
    for (const path of paths) {
      const yaml = exampleText(kind, KINDS, path);
      expect({ path, faults: faultsOf(yaml) }).toEqual({ path, faults: [] });
      expect({ path, has: has(parse(yaml), [...place, ...path]) }).toEqual({ path, has: true });
    }
  });

  test('shows every writable field with its allowed values, and the example', async () => {
    const { stdout, code } = await meshform(['explain', kind.name]);
    expect(code).toBe(0);
    for (const path of paths) expect(stdout).toMatch(new RegExp(`^ +${path.at(-1)} *`, 'm'));
    const [, yaml = ''] = stdout.split('\nExample\n');
    expect(parse(yaml)).toEqual(parse(exampleText(kind, KINDS)));
  });

  test('has an example that validates alone in an empty folder', () =>
    inFolder(async cwd => {
      await writeFile(join(cwd, 'network.yaml'), exampleText(kind, KINDS));
      const { stdout, stderr, code } = await meshform(['validate', '--format', 'json'], { cwd });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const { diagnostics }: Validated = JSON.parse(stdout);
      const faults = diagnostics.filter(({ code }) => !LACKS.includes(code));
      expect(faults).toEqual([]);
    }));
});

test.each(
  [...KINDS.values()].flatMap(kind =>
    childSteps(kind, KINDS).map(({ step, child }) => [kind.name, step, child.name] as const),
  ),
)('%s.%s is the kind %s', async (kind, step, child) => {
  const { stdout } = await meshform(['explain', `${kind}.${step}`]);
  expect(stdout).toBe((await meshform(['explain', child])).stdout);
});

describe('explain', () => {
  test('describes a field of nested objects and its allowed values', async () => {
    const { stdout } = await meshform(['explain', 'policies.rules.protocol']);
    expect(stdout).toContain('one of: all, tcp, udp, icmp, netbird-ssh');
    const { stdout: nested } = await meshform(['explain', 'network.resources.address']);
    expect(nested).toContain('network_resource.address');
  });

  test.each(['group/a\\/b', 'group["a/b"]', 'groups/x'])(
    '%s explains the kind of the object',
    async what => {
      expect((await meshform(['explain', what])).stdout).toContain('Group (group)');
    },
  );
});

describe('explain of a path', () => {
  test('accepts positions in lists', async () => {
    const [indexed, plain] = await Promise.all(
      ['policy.rules[0].ports', 'policy.rules.ports'].map(what => meshform(['explain', what])),
    );
    expect(plain?.stdout).toContain('policy.rules.ports');
    expect(indexed?.stdout).toBe(plain?.stdout);
  });

  test.each([
    ['policy.rules.protocol.x', '`policy.rules.protocol` has no field `x`'],
    ['policy.lifecycle.x', '`policy.lifecycle` has no field `x`'],
    ['policy.lifecycle.was.x', '`policy.lifecycle.was` has no field `x`'],
  ])('%s is refused with a specific hint', async (what, why) => {
    const { stderr, code } = await meshform(['explain', what]);
    expect(code).toBe(64);
    expect(stderr).toContain(why);
    expect(stderr).not.toMatch(/one of: *$/m);
  });

  test('lifecycle and its entries are explained', async () => {
    const { stdout, code } = await meshform(['explain', 'policy.lifecycle']);
    expect(code).toBe(0);
    for (const name of ['was', 'protect', 'ignore', 'lint_ignore']) expect(stdout).toContain(name);
    const { stdout: one } = await meshform(['explain', 'policy.lifecycle.was']);
    expect(one).toContain('The name this object had before');
    expect(one).not.toContain('lint_ignore');
  });

  test('the parts of a reference explain the reference', async () => {
    const { stdout, code } = await meshform(['explain', 'policy.rules.sourceResource.peer']);
    expect(code).toBe(0);
    expect(stdout).toContain('{ peer: name }');
  });

  test('never has two empty lines in a row', async () => {
    const { stdout } = await meshform(['explain', 'policy.rules.sourceResource']);
    expect(stdout).not.toContain('\n\n\n');
  });
});
