// Plans of format 1, as the version before format 2 wrote them: a file is refused, and a journal is read.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { shippedSchema } from '../../src/kinds/registry.ts';
import { schemaCompiler } from '../../src/kinds/schema/keywords.ts';
import { planOfText } from '../../src/report/plan/planFile.ts';
import { journalOfText } from '../../src/report/run/journalLines.ts';
import { signerWith } from '../support/signedJournal.ts';

const textOf = (name: string) => readFileSync(new URL(`older/${name}`, import.meta.url), 'utf8');
const plan = schemaCompiler().compile(shippedSchema('plan.schema.json'));
const line = schemaCompiler().compile(shippedSchema('journal.schema.json'));
const journalOf = (text: string) => journalOfText(text, { line, plan, signer: signerWith('t') });

const HOOK = '${yaml:network.yaml#/notification_channels/0/target/url}';

test('an older file is refused with the advice to create the plan again', () => {
  const read = planOfText(textOf('plan.json'), 'plan.json', plan);
  expect(read).toMatchObject({
    diagnostic: {
      code: 'PLAN_FILE_INVALID',
      message:
        '`plan.json` was saved by an older version of meshform: it is of format 1.1, and this version reads 2.0',
      hint: expect.stringContaining('create the plan again'),
    },
  });
});

describe('the plan in a journal', () => {
  const text = textOf('journal.jsonl');

  test('is read with its digest, its outcomes and the sources of its secrets', () => {
    const read = journalOf(text);
    if (!('chain' in read)) throw new Error(JSON.stringify(read));
    expect(read.chain, 'it has no signatures').toBe(null);
    const [head] = text.split('\n', 1);
    expect(read.digest).toBe(JSON.parse(head ?? '').plan_digest);
    expect(read.ended).toBe('incomplete');
    const channel = read.plan.actions.find(({ key }) => key === 'hooks.example.com#1');
    expect(channel).toMatchObject({ fields: { target: { url: { $secret: HOOK } } } });
    expect(read.plan.changes.find(({ key }) => key === 'ops')?.at).toMatchObject({ line: 2 });
    expect(read.plan.gates?.tests?.tests).toMatchObject([{ name: 'ops meet', at: { line: 12 } }]);
  });

  test.each([
    ['an action', '"name":"office"', '"name":"other"'],
    ['the verdict of a test', '"passed":true', '"passed":false'],
    ['the folder', '"folder":"network"', '"folder":"/"'],
  ])('is not read after %s was edited', (_, from, to) => {
    expect(text).toContain(from);
    expect(journalOf(text.replaceAll(from, to))).toEqual({
      why: expect.stringContaining('its digest does not match'),
    });
  });
});
