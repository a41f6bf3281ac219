// Ordinary fields take `${var:NAME}` and nothing else: whatever a file asks for, only the values of variables come out.
import { describe, expect, test } from 'vitest';
import { literally } from '../../src/model/text/literalText.ts';
import type { Inputs } from '../../src/source/values/externalInputs.ts';
import { expand } from '../../src/source/values/reference.ts';
import { plainValue, unusedVariables, variablesFrom } from '../../src/source/values/variables.ts';
import { load } from '../support/files.ts';
import { fc } from '../support/seeded.ts';

const AT = { file: 'f', line: 1, column: 1 };
const LEAK = 'never to be printed';
const inputs: Inputs = {
  env: () => LEAK,
  file: () => LEAK,
  vars: new Map([
    ['TEAM', 'engineers'],
    ['EMPTY', ''],
    ['TEAM_TXT', 'platform'],
  ]),
};

const codes = ({ diagnostics }: { diagnostics: readonly { code: string }[] }) =>
  diagnostics.map(({ code }) => code);

describe('an ordinary text', () => {
  test.each([
    ['plain', 'plain'],
    ['${var:TEAM}', 'engineers'],
    ['the ${var:TEAM} of ${var:TEAM_TXT}!', 'the engineers of platform!'],
    ['${var: TEAM }', 'engineers'],
    ['${var:EMPTY}', ''],
    ['${var:EMPTY:-nobody}', 'nobody'],
    ['${var:UNSET:-nobody}', 'nobody'],
    ['${var:UNSET:-}', ''],
    ['${var:TEAM:-nobody}', 'engineers'],
    ['$${var:TEAM}', '${var:TEAM}'],
    ['$${env:TEAM}', '${env:TEAM}'],
    ['${TEAM} $TEAM {var:TEAM} ${TEAM', '${TEAM} $TEAM {var:TEAM} ${TEAM'],
    ['$${var:TEAM', '${var:TEAM'],
    ['$${var:A ${var:TEAM} $${env:', '${var:A ${var:TEAM} ${env:'],
  ])('%j becomes %j', (text, value) => {
    expect(plainValue(text, inputs, AT)).toEqual({ value, diagnostics: [] });
  });

  test('that reads a variable which these files of a fleet may not read is forbidden, and nobody is told to print its value', () => {
    const fix = 'list it';
    const withheld = (name: string) =>
      name === 'LISTED' ? undefined : { why: 'is not listed', fix };
    const inFleet = { ...inputs, withheld };
    const { diagnostics } = plainValue('${env:MSP_TOKEN:-x}', inFleet, AT);
    expect(diagnostics).toMatchObject([{ code: 'INPUT_FORBIDDEN' }]);
    expect(diagnostics[0]?.hint).not.toContain('MSP_TOKEN');
    expect(codes(plainValue('${env:LISTED}', inFleet, AT))).toEqual(['INPUT_NOT_ALLOWED']);
    // Without credentials it is unknown what these files may read.
    const unknown = { ...inputs, withheld: () => ({ why: 'is not read here' }) };
    expect(codes(plainValue('${env:MSP_TOKEN}', unknown, AT))).toEqual(['INPUT_NOT_ALLOWED']);
  });

  test.each([
    ['${var:UNSET}', 'INPUT_UNDEFINED', 'set MESHFORM_VAR_UNSET, or give --var UNSET=VALUE'],
    ['${var:TEEM}', 'INPUT_UNDEFINED', 'did you mean `TEAM`?'],
    ['${var:}', 'INPUT_UNDEFINED', 'write its name'],
    ['of ${var:TEAM', 'INPUT_UNDEFINED', 'write it as `${var:NAME}`; for the text itself'],
    ['${var:TEAM} of ${var:', 'INPUT_UNDEFINED', 'write `$${var:`'],
    ['${env:TEAM', 'INPUT_UNDEFINED', 'write `$${env:`'],
    ['${var:my-team}', 'INPUT_UNDEFINED', 'letters, digits and _'],
    [
      '${env:TEAM}',
      'INPUT_NOT_ALLOWED',
      'set MESHFORM_VAR_TEAM, or give --var TEAM=VALUE, and write ${var:TEAM}',
    ],
    ['${env:TEAM:-web}', 'INPUT_NOT_ALLOWED', 'and write ${var:TEAM:-web}'],
    [
      '${file:team.txt}',
      'INPUT_NOT_ALLOWED',
      'or give --var TEAM_TXT="$(cat team.txt)", and write ${var:TEAM_TXT}',
    ],
    ["${file:the team's/1.txt}", 'INPUT_NOT_ALLOWED', `"$(cat 'the team'\\''s/1.txt')"`],
    ['${env:MESHFORM_TOKEN}', 'INPUT_FORBIDDEN', 'use a variable of another name'],
    ['${env:meshform_url:-x}', 'INPUT_FORBIDDEN', 'use a variable of another name'],
    ['${env:MESHFORM_VAR_TEAM}', 'INPUT_NOT_ALLOWED', 'write ${var:TEAM}'],
    ['${sops:team.enc.yaml#name}', 'INPUT_FORBIDDEN', 'use ${var:NAME} here'],
    ['${sops:#name}', 'INPUT_UNDEFINED', 'write its name'],
  ])('%j is %s', (text, code, hint) => {
    const found = plainValue(text, inputs, AT);
    expect(codes(found)).toEqual([code]);
    expect(found.diagnostics[0]?.hint).toContain(hint);
  });

  test('an ordinary text with several faults reports them all', () => {
    expect(codes(plainValue('${env:HOME} ${var:UNSET} ${var:TEAM}', inputs, AT))).toEqual([
      'INPUT_NOT_ALLOWED',
      'INPUT_UNDEFINED',
    ]);
  });

  const reference = fc
    .record({
      source: fc.constantFrom('var', 'env', 'file', 'sops'),
      name: fc.constantFrom(
        'TEAM',
        'UNSET',
        'HOME',
        'MESHFORM_TOKEN',
        'MESHFORM_VAR_TEAM',
        'a.txt',
      ),
      isEarlier: fc.boolean(),
    })
    .map(({ source, name, isEarlier }) => ({ text: `\${${source}:${name}}`, isEarlier }));

  test('never contains a value of the environment or of a file, in files or in a base', () => {
    fc.assert(
      fc.property(fc.array(reference), fc.boolean(), (references, isEarlier) => {
        const text = references.map(one => one.text).join(' ');
        const found = plainValue(text, { ...inputs, isEarlier }, AT);
        expect(JSON.stringify(found)).not.toContain(LEAK);
      }),
    );
  });

  test('reports which variables it uses', () => {
    const used: string[] = [];
    const onVariable = (name: string) => used.push(name);
    plainValue('${var:TEAM} ${var:UNSET:-x} ${env:HOME} $${var:NO}', { ...inputs, onVariable }, AT);
    expect(used).toEqual(['TEAM', 'UNSET']);
  });
});

describe('a text of a base, which an earlier version accepted', () => {
  const base: Inputs = { ...inputs, isEarlier: true };

  test.each([
    ['${env:TEAM}', 'engineers'],
    ['${env:UNSET:-nobody}', 'nobody'],
    ['${file:team.txt}', 'platform'],
    ['${var:TEAM}', 'engineers'],
  ])('uses the replacement of a variable or a file: %j becomes %j', (text, value) => {
    expect(plainValue(text, base, AT)).toEqual({ value, diagnostics: [] });
  });

  test('says which variable it needs', () => {
    const { diagnostics } = plainValue('${env:UNSET}', base, AT);
    expect(diagnostics).toMatchObject([
      { code: 'INPUT_UNDEFINED', hint: expect.stringContaining('set MESHFORM_VAR_UNSET') },
    ]);
  });
});

describe('variables', () => {
  test('come from the command line before the environment, and an empty environment variable counts as unset', () => {
    const env = {
      MESHFORM_VAR_TEAM: 'web',
      MESHFORM_VAR_SITE: 'north',
      MESHFORM_VAR_UNSET: '',
      'MESHFORM_VAR_not-a-name': 'x',
      MESHFORM_TOKEN: 'ours',
      HOME: '/root',
    };
    expect(
      variablesFrom(env, [
        ['TEAM', 'one'],
        ['TEAM', 'two=three'],
        ['EMPTY', ''],
      ]),
    ).toEqual(
      new Map([
        ['TEAM', 'two=three'],
        ['SITE', 'north'],
        ['EMPTY', ''],
      ]),
    );
  });

  test('variables that no file uses are reported, as an error with --strict', () => {
    expect(unusedVariables(['TEAM', 'SITES'], new Set(['TEAM', 'SITE']), false)).toEqual([
      {
        code: 'INPUT_UNUSED',
        severity: 'warning',
        message: 'no file uses the variable `SITES`',
        hint: 'did you mean `SITE`?',
      },
    ]);
    expect(unusedVariables(['X'], new Set(), true)).toMatchObject([{ severity: 'error' }]);
  });
});

test.each([
  ['is escaped', 'https://a.example.com/$${env:KEY}'],
  ['comes from a variable', 'https://a.example.com/${var:PART}'],
])('an address in which the apparent reference %s is not a secret of the environment', (_, url) => {
  const text = `notification_channels: [{ type: webhook, target: { url: "${url}" }, event_types: [peer.add] }]\n`;
  const read = () => {
    throw new Error('nothing is read');
  };
  const { desired, diagnostics } = load(text, {
    env: read,
    file: read,
    vars: new Map([['PART', '${env:KEY}']]),
  });
  expect(diagnostics).toEqual([]);
  expect(desired[0]?.fields.target).toMatchObject({ url: 'https://a.example.com/${env:KEY}' });
});

test('a text of many unterminated references is read in one pass', () => {
  const text = '${var:A:-'.repeat(20_000);
  expect(expand(text, ({ isOpen }) => (isOpen ? 'x' : ''))).toBe('xA:-'.repeat(20_000));
  expect(expand(`${text}}`, ({ fallback }) => String(fallback?.length))).toBe(
    String('${var:A:-'.length * 19_999),
  );
  expect(expand(literally(text), () => 'x')).toBe(text);
});
