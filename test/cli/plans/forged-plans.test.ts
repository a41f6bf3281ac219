// `show` and `apply` refuse a file that is cut, edited or no plan of meshform.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../../src/model/value.ts';
import { resealed } from '../../support/resealed.ts';
import { NETWORKS, planned } from './plannedFolder.ts';

/** The same document with something else in it, and a digest that fits. */
function forged(document: JsonObject, change: (own: Record<string, Json>) => void): string {
  const copy = structuredClone(document) as { meshform: Record<string, Json> };
  change(copy.meshform);
  return JSON.stringify(resealed(copy as unknown as JsonObject));
}

type Plain = Record<string, Json>;
const listOf = (own: Plain, name: string) => own[name] as unknown as Plain[];
const fieldsOf = (object: Plain | undefined) => object?.fields as unknown as Plain;

describe('a file that is not our plan', () => {
  const CASES: [string, (text: string, document: JsonObject) => string, string][] = [
    ['cut short', text => text.slice(0, text.length / 2), 'incomplete'],
    ['empty', () => '', 'not JSON'],
    ['edited', text => text.replace('"443"', '"22"'), 'its digest does not match'],
    [
      'edited where it is carried out, with a new digest',
      (_, document) =>
        forged(document, own => {
          const action = listOf(own, 'actions').find(({ kind }) => kind === 'network');
          fieldsOf(action).name = 'other';
        }),
      'shows of `network.',
    ],
    [
      'edited where it is shown, with a new digest',
      (_, document) =>
        forged(document, own => {
          const change = listOf(own, 'changes').find(({ kind }) => kind === 'policy');
          (change?.after as unknown as Plain).enabled = false;
        }),
      'shows of `policy["devs reach devs"]` differs from what it does',
    ],
    [
      'an action that it does not show',
      (_, document) =>
        forged(document, own => {
          own.changes = listOf(own, 'changes').slice(1) as unknown as Json;
        }),
      'it does not show',
    ],
    [
      'actions that wait in a circle',
      (_, document) =>
        forged(document, own => {
          const [first, second] = listOf(own, 'actions');
          if (first && second) first.after = [String(second.id)];
        }),
      'which does not come before it',
    ],
    [
      'an unknown kind',
      (_, document) =>
        forged(document, own => {
          for (const object of [...listOf(own, 'actions'), ...listOf(own, 'changes')])
            if (object.kind === 'network') object.kind = 'gateway';
        }),
      'unknown kind `gateway`',
    ],
    [
      'a pointer at an id that nobody approved',
      (_, document) =>
        forged(document, own => {
          const action = listOf(own, 'actions').find(({ kind }) => kind === 'policy');
          const after = listOf(own, 'changes').find(({ kind }) => kind === 'policy')?.after;
          for (const fields of [fieldsOf(action), after as unknown as Plain])
            for (const rule of fields.rules as unknown as Plain[]) rule.sources = ['admins'];
        }),
      'refers to the group `admins` without its id',
    ],
  ];

  test.each(CASES)(
    '%s: refused with one sentence and exit 3, and nothing is written',
    (_, change, why) =>
      planned(NETWORKS, async ({ account, run, folder }) => {
        const text = await readFile(join(folder, 'plan.json'), 'utf8');
        const document: Json = JSON.parse(text);
        await writeFile(join(folder, 'bad.json'), change(text, isObject(document) ? document : {}));
        for (const argv of [
          ['show', 'bad.json'],
          ['apply', 'bad.json', '--yes'],
        ]) {
          const before = account.requests.length;
          const ended = await run(...argv);
          expect(ended, argv.join(' ')).toMatchObject({ code: 3, stdout: '' });
          expect(ended.stderr).toContain(why);
          expect(ended.stderr).not.toMatch(/\n\s+at /);
          expect(account.requests.length).toBe(before);
        }
      }),
  );
});
