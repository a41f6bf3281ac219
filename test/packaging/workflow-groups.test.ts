// The concurrency groups of the example workflows: a forge keeps one waiting run of a group, and drops it for a newer run, so no other
// workflow may be in the group of an apply.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const FOLDER = new URL('../../examples/github/', import.meta.url);
const files = readdirSync(FOLDER).filter(name => name.endsWith('.yml'));

interface Grouped {
  readonly concurrency?: { readonly group: string; readonly 'cancel-in-progress': boolean };
}

/** The groups of a workflow and of its jobs. */
function groupsOf(file: string): readonly NonNullable<Grouped['concurrency']>[] {
  const workflow: Grouped & { readonly jobs: Readonly<Record<string, Grouped>> } = parse(
    readFileSync(new URL(file, FOLDER), 'utf8'),
  );
  return [workflow, ...Object.values(workflow.jobs)].flatMap(
    ({ concurrency }) => concurrency ?? [],
  );
}

/** The files that have each group, without the reference that ends its name. */
function filesByGroup(): ReadonlyMap<string, readonly string[]> {
  const all = files.flatMap(file =>
    groupsOf(file).map(({ group }) => [group.replace(/-\$\{\{.*$/, ''), file] as const),
  );
  return new Map(
    all.map(([group]) => [group, all.flatMap(([g, file]) => (g === group ? [file] : []))]),
  );
}

describe('an example workflow', () => {
  test('has a concurrency group that no other workflow has, so that none drops a waiting run of another', () => {
    const shared = [...filesByGroup()].filter(([, users]) => users.length > 1);
    expect(filesByGroup().get('network-apply')).toEqual(['merge.yml']);
    expect(shared).toEqual([]);
  });

  test.each(files.filter(file => groupsOf(file).length > 0))(
    'cancels no run halfway, and has the ref or the pull request in its group: %s',
    file => {
      for (const { group, 'cancel-in-progress': cancels } of groupsOf(file)) {
        expect(cancels).toBe(false);
        expect(group).toMatch(/\$\{\{ github\.(?:ref|event\.pull_request\.number) \}\}$/);
      }
    },
  );
});

test('two workflows that write to one account wait for the lock of each other', () => {
  for (const file of ['merge.yml', 'expire.yml'])
    expect(readFileSync(new URL(file, FOLDER), 'utf8')).toMatch(/ args: .*--wait 30m$/m);
});
