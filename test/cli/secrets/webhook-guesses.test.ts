// Whoever may change a file declares guesses of the address that a reference has: nothing that a reviewer runs says which one is right.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DRIFT_FORMATS } from '../../../src/report/driftFormats.ts';
import { PLAN_FORMATS } from '../../../src/report/planFormats.ts';
import { fc } from '../../support/seeded.ts';
import { someOf } from '../../support/variations.ts';
import { expectCode, PRUNE, type Teams, teams } from '../bases/teams.ts';

const RIGHT = '7391';
const OTHER = '4602';
const HOST = 'https://pin.example.com/';

/** How a guess is written. */
const FORMS: readonly ((pin: string) => string)[] = [
  pin => `${HOST}${pin}`,
  pin => `\${env:NOPE:-${HOST}${pin}}`,
  pin => `${HOST}\${env:NOPE:-${pin}}`,
  pin => `${HOST}\${file:guess-${pin}}`,
  pin => `${HOST}${pin}\${env:EMPTY:-}`,
  pin => `${HOST}\${env:FIRST}${pin.slice(1)}`,
];

interface Guessed {
  /** The address that was applied. */
  readonly reference: string;
  readonly form: number;
  readonly count: number;
  /** The place of the right guess. */
  readonly place: number;
  /** Whether the reference is still in the files. */
  readonly isBeside: boolean;
  readonly base: 'recorded' | 'revision' | 'none';
  readonly events: string;
  /** Whether the right guess names the live channel by its id. */
  readonly isBound: boolean;
  /** Whether the guesses are those of another folder. */
  readonly isElsewhere: boolean;
  /** Which third of the commands is run. */
  readonly third: number;
}

const entry = (url: string, events: string, id?: string): string =>
  `  - { type: webhook, event_types: [${events}], target: { url: "${url}" }${id === undefined ? '' : `, lifecycle: { id: ${id} }`} }\n`;

const COMMANDS: readonly (readonly string[])[] = [
  ['validate', 'net', '--lint'],
  ...Object.keys(PLAN_FORMATS).map(format => ['plan', 'net', '--format', format]),
  ['plan', 'net', '--full'],
  ['plan', 'net', '--detailed-exitcode', '--prune', 'removed'],
  ['plan', 'net', '--prune', 'unmanaged', '--allow', 'DELETES_OBJECT', '--out', 'plan.json'],
  ['plan', 'net', '--adopt', 'report'],
  ['plan', 'net', '--no-new-access'],
  ['plan', 'net', '--html', 'plan.html'],
  ['show', 'plan.json', '--format', 'json'],
  ['plan', 'check', 'plan.json'],
  ['plan', 'check', 'plan.json', '--format', 'json'],
  ...Object.keys(DRIFT_FORMATS).map(format => ['drift', 'net', '--format', format]),
  ['access', '--files', 'net'],
  ['graph', 'net'],
  ['render', 'net'],
  ['export', '--check', 'net'],
];

const WITHOUT_BASE = new Set(['validate', 'show', 'access', 'graph', 'render', 'export']);

/** All that the commands say of guesses, with `pin` as the value of the variable. */
async function said(pin: string, given: Guessed): Promise<string> {
  const texts: string[] = [];
  await teams(async ({ id, cwd, account, run, commit, head }: Teams) => {
    const env = {
      PIN: pin,
      WHOLE: `${HOST}${pin}`,
      FIRST: RIGHT.slice(0, 1),
      MESHFORM_SIGNING_KEY: 'a signing key of enough length',
      MESHFORM_JOURNALS: '',
    };
    const own = entry(given.reference, 'user.join');
    await commit({
      'net/meshform.yaml': `account: ${id}\nname: net\n`,
      'net/c.yaml': `notification_channels:\n${own}`,
    });
    const record = ['--base', 'auto', '--record-base'];
    expectCode(await run(['apply', 'net', '--yes', ...PRUNE, ...record], env), 0);
    const revision = head();
    const [live] = (await account.call('GET', '/api/integrations/notifications/channels')) as {
      id: string;
    }[];
    const pins = Array.from({ length: given.count }, (_, i) =>
      i === given.place ? RIGHT : `${7000 + i}`,
    );
    for (const one of pins) {
      await mkdir(join(cwd, 'net'), { recursive: true });
      await writeFile(join(cwd, `net/guess-${one}`), `${one}`);
    }
    const guesses = pins.map((one, i) =>
      entry(
        FORMS[given.form]?.(one) ?? '',
        given.events,
        given.isBound && i === given.place ? live?.id : undefined,
      ),
    );
    const kept = given.isBeside ? own : '';
    await commit(
      given.isElsewhere
        ? {
            'net/c.yaml':
              kept === '' ? 'groups: [{ name: one }]\n' : `notification_channels:\n${kept}`,
            'other/meshform.yaml': `account: ${id}\nname: other\n`,
            'other/c.yaml': `notification_channels:\n${guesses.join('')}`,
          }
        : { 'net/c.yaml': `notification_channels:\n${guesses.join('')}${kept}` },
    );
    const base =
      given.base === 'recorded'
        ? ['--base', 'auto']
        : given.base === 'revision'
          ? ['--base', revision]
          : [];
    const chosen = COMMANDS.filter((argv, i) => i % 3 === given.third || argv.includes('--out'));
    for (const argv of chosen) {
      const [command = ''] = argv;
      const isOfFiles = !WITHOUT_BASE.has(command) && !argv.includes('check');
      const ended = await run([...argv, ...(isOfFiles ? base : [])], env);
      texts.push(`${argv.join(' ')}: ${ended.code}\n${ended.stdout}${ended.stderr}`);
      for (const file of ['plan.json', 'plan.html'])
        if (argv.includes(file) && ended.code === 0 && command === 'plan')
          texts.push(await readFile(join(cwd, file), 'utf8'));
    }
    // In which order requests go out is chance.
    texts.push(
      account.requests
        .map(({ method, path }) => `${method} ${path}`)
        .sort()
        .join('\n'),
    );
  });
  return texts.join('\n');
}

// What depends on the keys, the time and the folder of a run.
const plain = (text: string): string =>
  text
    .replaceAll(/hmac-sha256:[\da-f:]+|\b(?:sha256:)?[\da-f]{7,64}\b/g, '(digest)')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '(time)')
    .replaceAll(/127\.0\.0\.1:\d+/g, '(server)')
    .replaceAll(/(?<=Content-Security-Policy.*sha256-)[\w+/=]+/g, '(digest)');

async function expectNothingSaid(given: Guessed): Promise<void> {
  const right = plain(await said(RIGHT, given));
  expect(right).toContain('"resource_changes"');
  expect(right, JSON.stringify(given)).toBe(plain(await said(OTHER, given)));
}

const PART = `${HOST}\${env:PIN}`;
const usual: Guessed = {
  reference: PART,
  form: 0,
  count: 4,
  place: 2,
  isBeside: true,
  base: 'none',
  events: 'user.join',
  isBound: false,
  isElsewhere: false,
  third: 0,
};

const ROWS: readonly (readonly [string, Partial<Guessed>])[] = [
  ['beside the reference', {}],
  ['beside the reference, with a base', { base: 'recorded' }],
  ['alone', { isBeside: false, base: 'recorded' }],
  ['alone, with a revision as the base', { isBeside: false, base: 'revision' }],
  ['one alone', { isBeside: false, base: 'recorded', count: 1, place: 0 }],
  ['of a whole address', { reference: '${env:WHOLE}', base: 'recorded', isBeside: false }],
  ['of a whole address, beside it', { reference: '${env:WHOLE}' }],
  ['as defaults, beside the reference', { form: 1 }],
  ['as defaults of a part, alone', { form: 2, base: 'recorded', isBeside: false }],
  ['in files', { form: 3 }],
  ['with an empty reference', { form: 4 }],
  ['with a known variable', { form: 5 }],
  ['bound by the id of the channel', { isBound: true, base: 'recorded', isBeside: false }],
  ['bound by the id, beside the reference', { isBound: true }],
  ['in another folder', { isElsewhere: true, base: 'recorded' }],
  ['in another folder, alone', { isElsewhere: true, base: 'recorded', isBeside: false }],
];

// Each row runs a third of the commands, so that every command is run by a third of the rows.
test.each(
  someOf(ROWS, 5).map(
    ([title, given], i) => [title, { ...usual, third: i % 3, ...given }] as const,
  ),
)('an applied secret address is not confirmed by guesses %s', (_, given) =>
  expectNothingSaid(given),
);

const DRAWN = fc
  .record({
    reference: fc.constantFrom(PART, '${env:WHOLE}', `${HOST}\${env:PIN:-0000}`),
    form: fc.nat(FORMS.length - 1),
    count: fc.integer({ min: 1, max: 6 }),
    at: fc.nat(5),
    isBeside: fc.boolean(),
    base: fc.constantFrom('recorded', 'revision', 'none'),
    events: fc.constantFrom('user.join', 'user.join, user.block'),
    isBound: fc.boolean(),
    isElsewhere: fc.boolean(),
    third: fc.nat(2),
  })
  .filter(({ base, isBeside }) => base !== 'none' || isBeside)
  .map(({ at, ...one }) => ({ ...one, place: at % one.count }) as Guessed);

test('an applied secret address is not confirmed by random guesses', async () => {
  for (const given of fc.sample(DRAWN, 2)) await expectNothingSaid(given);
});

test.each(['of the files', 'of a saved plan'])(
  'an apply %s refuses a right guess before its first write',
  async of => {
    await teams(async ({ id, account, run, commit }: Teams) => {
      const env = { PIN: RIGHT, MESHFORM_JOURNALS: '' };
      const own = `notification_channels:\n${entry(PART, 'user.join')}`;
      await commit({ 'net/meshform.yaml': `account: ${id}\n`, 'net/c.yaml': own });
      expectCode(await run(['apply', 'net', '--yes'], env), 0);
      const guess = entry(`${HOST}${RIGHT}`, 'user.join');
      await commit({ 'net/c.yaml': `groups: [{ name: one }]\n${own}${guess}` });
      if (of === 'of a saved plan')
        expectCode(await run(['plan', 'net', '--out', 'plan.json'], env), 0);
      const before = account.requests.filter(({ method }) => method !== 'GET').length;
      const path = of === 'of a saved plan' ? 'plan.json' : 'net';
      const refused = await run(['apply', path, '--yes'], env);
      expectCode(refused, 5);
      expect(refused.stdout).toContain('has an address that the account has already');
      expect(account.requests.filter(({ method }) => method !== 'GET').length).toBe(before);
    });
  },
);
